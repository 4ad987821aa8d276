/// Why a ``ListSnapshotDifference`` does not go with the ``ListSnapshot`` that it was to be applied to.
public enum ListSnapshotDifferenceError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error,
  Equatable
{
  /// The old snapshot has another section there, or none.
  case sectionNotFound(SectionID, at: Int)
  /// The section at that index is deleted or moved already.
  case sectionTaken(SectionID, at: Int)
  /// The new snapshot has no such index, or another section goes there.
  case sectionNotPlaced(SectionID, at: Int)
  /// There is another item, or none: in the old snapshot where it is deleted or moved, in either where it is reconfigured.
  case itemNotFound(ItemID, at: ListSnapshotPath)
  /// The item there is deleted or moved already, be it with its section.
  case itemTaken(ItemID, at: ListSnapshotPath)
  /// The new snapshot has no such path, or another item goes there, or its section is inserted whole.
  case itemNotPlaced(ItemID, at: ListSnapshotPath)
  /// The result would be no snapshot.
  case duplicate(ListSnapshotError<SectionID, ItemID>)
}
