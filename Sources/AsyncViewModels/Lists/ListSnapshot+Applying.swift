extension ListSnapshot {
  /// The snapshot that `difference` leads to from this one: `old.applying(new.difference(from: old)) == new`.
  ///
  /// Nothing is taken on trust: a difference between other snapshots, or one that was tampered with, is refused. O(number of sections
  /// and items).
  ///
  /// - Throws: the first thing that does not fit, with its id and its place.
  public func applying(
    _ difference: ListSnapshotDifference<SectionID, ItemID, Content>
  ) throws(ListSnapshotDifferenceError<SectionID, ItemID>) -> ListSnapshot {
    var rebuild = ListSnapshotRebuild(storage)
    try rebuild.arrangeSections(difference)
    try rebuild.arrangeItems(difference)
    try rebuild.reconfigureItems(difference)
    do { return try ListSnapshot(rebuild.sections) } catch { throw .duplicate(error) }
  }
}
