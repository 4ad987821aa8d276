/// What turns one ``ListSnapshot`` into another, in the form in which list views take batched updates.
///
/// Where things stand is said in two index spaces: what is deleted, and where a move begins, in the **old** snapshot; what is inserted,
/// and where a move ends, in the **new** one. Nothing else is needed: what is not named keeps its order, and closes up.
///
/// | list | holds |
/// | --- | --- |
/// | sections | each deleted, inserted or moved one. A deleted section takes its items along, an inserted one brings its own: they are not named again |
/// | items | those of sections that are in both snapshots. A move goes within a section or across two. What comes out of a deleted section, or goes to an inserted one, is no move: list views refuse it |
/// | reconfigured items | those with other content than before, wherever they stand, moved ones too. They are drawn again, not replaced |
///
/// A list view that cannot move a section and change its items at once takes ``ListSnapshot/batches(from:)`` instead.
///
/// Each list is sorted by where its elements end up, the deleted ones by where they were. Moves are as few as possible.
///
/// It is a plain value, and may be changed or made up: ``ListSnapshot/applying(_:)`` trusts none.
public struct ListSnapshotDifference<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
>: Sendable {
  public var deletedSections: [DeletedSection] = []
  public var insertedSections: [InsertedSection] = []
  public var movedSections: [MovedSection] = []
  public var deletedItems: [DeletedItem] = []
  public var insertedItems: [InsertedItem] = []
  public var movedItems: [MovedItem] = []
  public var reconfiguredItems: [ReconfiguredItem] = []

  /// No difference.
  @inlinable
  public init() {}

  /// Whether there is nothing to do.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// How many changes there are; an inserted or deleted section counts once.
  @inlinable public var count: Int {
    deletedSections.count + insertedSections.count + movedSections.count + deletedItems.count
      + insertedItems.count + movedItems.count + reconfiguredItems.count
  }
}
