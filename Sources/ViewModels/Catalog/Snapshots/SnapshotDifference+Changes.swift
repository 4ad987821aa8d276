extension SnapshotDifference {
  public typealias Section = SnapshotSection<SectionID, ItemID, Content>
  public typealias Item = ItemCellViewModel<ItemID, Content>

  public struct DeletedSection: Sendable {
    public var id: SectionID
    /// In the old snapshot.
    public var index: Int

    @inlinable
    public init(id: SectionID, index: Int) {
      self.id = id
      self.index = index
    }
  }

  public struct InsertedSection: Sendable {
    /// With all its items.
    public var section: Section
    /// In the new snapshot.
    public var index: Int

    @inlinable
    public init(section: Section, index: Int) {
      self.section = section
      self.index = index
    }
  }

  public struct MovedSection: Sendable {
    public var id: SectionID
    /// In the old snapshot.
    public var from: Int
    /// In the new snapshot.
    public var to: Int

    @inlinable
    public init(id: SectionID, from: Int, to: Int) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  public struct DeletedItem: Sendable {
    public var id: ItemID
    /// In the old snapshot.
    public var path: SnapshotPath

    @inlinable
    public init(id: ItemID, path: SnapshotPath) {
      self.id = id
      self.path = path
    }
  }

  public struct InsertedItem: Sendable {
    public var item: Item
    /// In the new snapshot.
    public var path: SnapshotPath

    @inlinable
    public init(item: Item, path: SnapshotPath) {
      self.item = item
      self.path = path
    }
  }

  public struct MovedItem: Sendable {
    public var id: ItemID
    /// In the old snapshot.
    public var from: SnapshotPath
    /// In the new snapshot.
    public var to: SnapshotPath

    @inlinable
    public init(id: ItemID, from: SnapshotPath, to: SnapshotPath) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  public struct ReconfiguredItem: Sendable {
    /// With its new content.
    public var item: Item
    /// In the old snapshot: for a list view that reloads within the batch.
    public var from: SnapshotPath
    /// In the new snapshot: for a list view that reconfigures after the batch.
    public var to: SnapshotPath

    @inlinable
    public init(item: Item, from: SnapshotPath, to: SnapshotPath) {
      self.item = item
      self.from = from
      self.to = to
    }
  }
}
