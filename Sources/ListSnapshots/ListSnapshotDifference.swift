/// The changes from one ``ListSnapshot`` to another, in the form of a list view's batched updates.
///
/// | change | contains |
/// | --- | --- |
/// | deleted, inserted and moved sections | Every one. The items of a deleted or inserted section are not listed. |
/// | deleted, inserted and moved items | Those of sections that are in both snapshots. List views reject moves out of a deleted section or into an inserted section, so an item that leaves a deleted section counts as inserted, and an item that goes to an inserted section as deleted. |
/// | reconfigured items | The items with new content, moved or not, whose old and new sections are in both snapshots. The list view keeps their cells and updates them. |
///
/// Deletions and the sources of moves use positions in the **old** snapshot. Insertions and the
/// targets of moves use positions in the **new** snapshot. Each list is sorted by the new position
/// of its elements; deletions are sorted by the old position.
///
/// For a list view that cannot move a section and change the section's items in one batch, use
/// ``ListSnapshot/batches(from:)``.
public struct ListSnapshotDifference<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
>: Sendable {
  /// The deleted sections, sorted by their old index.
  public var deletedSections: [DeletedSection] = []
  /// The inserted sections, sorted by their new index.
  public var insertedSections: [InsertedSection] = []
  /// The moved sections, sorted by their new index.
  public var movedSections: [MovedSection] = []
  /// The deleted items of sections that are in both snapshots, sorted by their old path.
  public var deletedItems: [DeletedItem] = []
  /// The inserted items of sections that are in both snapshots, sorted by their new path.
  public var insertedItems: [InsertedItem] = []
  /// The items that moved within or between sections that are in both snapshots, sorted by their
  /// new path.
  public var movedItems: [MovedItem] = []
  /// The items with new content, sorted by their new path.
  public var reconfiguredItems: [ReconfiguredItem] = []

  /// Creates an empty difference.
  @inlinable
  public init() {}

  /// Whether there are no changes.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// The number of changes. An inserted or deleted section counts once, whatever its number of
  /// items.
  @inlinable public var count: Int {
    deletedSections.count + insertedSections.count + movedSections.count + deletedItems.count
      + insertedItems.count + movedItems.count + reconfiguredItems.count
  }
}

extension ListSnapshotDifference {
  /// A section with its items.
  public typealias Section = ListSnapshotSection<SectionID, ItemID, Content>
  /// An item of a section.
  public typealias Item = ListSnapshotItem<ItemID, Content>

  /// The deletion of a section and its items.
  public struct DeletedSection: Sendable {
    /// The id of the section.
    public let id: SectionID
    /// The index in the old snapshot.
    public let index: Int

    @inlinable
    init(id: SectionID, index: Int) {
      self.id = id
      self.index = index
    }
  }

  /// The insertion of a section and its items.
  public struct InsertedSection: Sendable {
    /// The section with all its items.
    public let section: Section
    /// The index in the new snapshot.
    public let index: Int

    @inlinable
    init(section: Section, index: Int) {
      self.section = section
      self.index = index
    }
  }

  /// The move of a section and its items.
  public struct MovedSection: Sendable {
    /// The id of the section.
    public let id: SectionID
    /// The index in the old snapshot.
    public let from: Int
    /// The index in the new snapshot.
    public let to: Int

    @inlinable
    init(id: SectionID, from: Int, to: Int) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  /// The deletion of an item.
  public struct DeletedItem: Sendable {
    /// The id of the item.
    public let id: ItemID
    /// The path in the old snapshot.
    public let path: ListSnapshotPath

    @inlinable
    init(id: ItemID, path: ListSnapshotPath) {
      self.id = id
      self.path = path
    }
  }

  /// The insertion of an item.
  public struct InsertedItem: Sendable {
    /// The item.
    public let item: Item
    /// The path in the new snapshot.
    public let path: ListSnapshotPath

    @inlinable
    init(item: Item, path: ListSnapshotPath) {
      self.item = item
      self.path = path
    }
  }

  /// The move of an item.
  public struct MovedItem: Sendable {
    /// The id of the item.
    public let id: ItemID
    /// The path in the old snapshot.
    public let from: ListSnapshotPath
    /// The path in the new snapshot.
    public let to: ListSnapshotPath

    @inlinable
    init(id: ItemID, from: ListSnapshotPath, to: ListSnapshotPath) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  /// The change of an item's content.
  public struct ReconfiguredItem: Sendable {
    /// The item with its new content.
    public let item: Item
    /// The path in the old snapshot, for a list view that reloads the item within the batch.
    public let from: ListSnapshotPath
    /// The path in the new snapshot, for a list view that reconfigures the item after the batch.
    public let to: ListSnapshotPath

    @inlinable
    init(item: Item, from: ListSnapshotPath, to: ListSnapshotPath) {
      self.item = item
      self.from = from
      self.to = to
    }
  }
}

extension ListSnapshot {
  /// Returns the difference that turns `old` into this snapshot.
  ///
  /// `old` may be any snapshot. An observer that has missed snapshots passes the last snapshot that
  /// it displayed.
  ///
  /// The number of moves is minimal. Of the sections that are in both snapshots, as many as
  /// possible stay: a longest subsequence that is in the same order as before. All others move. The
  /// same holds, in each section, for the items that were already in that section.
  ///
  /// Unique ids serve as anchors, as in Heckel's "A technique for isolating differences between
  /// files" (1978). The algorithm steps through the old and the new items of a section in parallel.
  /// While the ids are equal, it only compares the items. It looks up the id of an item only at a
  /// place where the snapshots diverge.
  ///
  /// - Complexity: O(items) comparisons and O(s + c) hashes; s is the number of sections, and c is
  ///   the number of items that are new in their section or follow a different item than before. If
  ///   anything moves, minimizing the moves takes O((s + c) · log(s + c)). O(1) if both snapshots
  ///   share their storage. The content of an item is compared at most once.
  @inlinable
  public func difference(from old: ListSnapshot) -> ListSnapshotDifference<SectionID, ItemID, Content> {
    if storage === old.storage { return ListSnapshotDifference() }
    var comparison = ListSnapshotComparison(from: old.storage, to: storage)
    comparison.compareSections()
    comparison.compareItems()
    return comparison.difference
  }
}
