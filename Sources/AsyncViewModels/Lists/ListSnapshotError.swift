/// Why sections and items are no ``ListSnapshot``: an identity stands in it twice. An id that is not unique names nothing.
public enum ListSnapshotError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error, Equatable {
  /// Two sections have one id.
  case duplicateSection(SectionID, at: Int, and: Int)
  /// Two items have one id, in one section or in two.
  case duplicateItem(ItemID, at: ListSnapshotPath, and: ListSnapshotPath)
}
