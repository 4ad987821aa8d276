extension ListSnapshotDifference {
  public typealias Section = ListSnapshotSection<SectionID, ItemID, Content>
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
    public var path: ListSnapshotPath

    @inlinable
    public init(id: ItemID, path: ListSnapshotPath) {
      self.id = id
      self.path = path
    }
  }

  public struct InsertedItem: Sendable {
    public var item: Item
    /// In the new snapshot.
    public var path: ListSnapshotPath

    @inlinable
    public init(item: Item, path: ListSnapshotPath) {
      self.item = item
      self.path = path
    }
  }

  public struct MovedItem: Sendable {
    public var id: ItemID
    /// In the old snapshot.
    public var from: ListSnapshotPath
    /// In the new snapshot.
    public var to: ListSnapshotPath

    @inlinable
    public init(id: ItemID, from: ListSnapshotPath, to: ListSnapshotPath) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  public struct ReconfiguredItem: Sendable {
    /// With its new content.
    public var item: Item
    /// In the old snapshot: for a list view that reloads within the batch.
    public var from: ListSnapshotPath
    /// In the new snapshot: for a list view that reconfigures after the batch.
    public var to: ListSnapshotPath

    @inlinable
    public init(item: Item, from: ListSnapshotPath, to: ListSnapshotPath) {
      self.item = item
      self.from = from
      self.to = to
    }
  }
}
