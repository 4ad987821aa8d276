extension Snapshot {
  /// The snapshot that `difference` leads to from this one: `old.applying(new.difference(from: old)) == new`.
  ///
  /// Nothing is taken on trust: a difference between other snapshots, or one that was tampered with, is refused. O(number of sections
  /// and items).
  ///
  /// - Throws: the first thing that does not fit, with its id and its place.
  public func applying(
    _ difference: SnapshotDifference<SectionID, ItemID, Content>
  ) throws(SnapshotDifferenceError<SectionID, ItemID>) -> Snapshot {
    var rebuild = SnapshotRebuild(storage)
    try rebuild.arrangeSections(difference)
    try rebuild.arrangeItems(difference)
    try rebuild.reconfigureItems(difference)
    do { return try Snapshot(rebuild.sections) } catch { throw .duplicate(error) }
  }
}
