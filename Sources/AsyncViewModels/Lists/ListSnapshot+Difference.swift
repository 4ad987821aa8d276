extension ListSnapshot {
  /// What turns `old` into this snapshot. `old` may be any snapshot, however long ago it was shown: an observer that has missed some
  /// takes the difference to the newest one.
  ///
  /// Moves are as few as possible: of the items that stay in their section, and of the sections, a longest increasing
  /// subsequence stays where it is.
  ///
  /// Unique ids serve as anchors, as in Heckel's "A technique for isolating differences between files" (1978); but what goes on as in
  /// the old snapshot is followed by comparing alone, and the old snapshot's index of ids is asked only where the two part.
  ///
  /// Cost: O(items) comparisons, O(c) hashes and O(c · log(c)) to keep the moves few, where c is the number of places at which the two
  /// part. At once if they share their storage. Each item's content is compared once.
  @inlinable
  public func difference(from old: ListSnapshot) -> ListSnapshotDifference<SectionID, ItemID, Content> {
    if storage === old.storage { return ListSnapshotDifference() }
    var comparison = ListSnapshotComparison(from: old.storage, to: storage)
    comparison.compareSections()
    comparison.compareItems()
    return comparison.difference
  }
}
