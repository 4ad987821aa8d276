/// One batch of updates for a list view, and what its data source has to show from then on.
public struct ListSnapshotBatch<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
>: Sendable {
  public let difference: ListSnapshotDifference<SectionID, ItemID, Content>
  public let snapshot: ListSnapshot<SectionID, ItemID, Content>
}

extension ListSnapshot {
  /// The way from `old` to this snapshot in batches that list views take: one that only moves sections, where any has moved, and one
  /// for everything else. None where there is no difference.
  ///
  /// ``difference(from:)`` says it all at once; but the table and collection views of UIKit are known to throw where a section moves and
  /// its items change in one batch.
  ///
  /// Cost: that of ``difference(from:)``; where sections have moved, twice, and O(items) hashes.
  public func batches(from old: ListSnapshot) -> [ListSnapshotBatch<SectionID, ItemID, Content>] {
    let difference = difference(from: old)
    if difference.isEmpty { return [] }
    if difference.movedSections.isEmpty { return [ListSnapshotBatch(difference: difference, snapshot: self)] }
    let rearranged = old.withSections(inOrderOf: self)
    return [
      ListSnapshotBatch(difference: rearranged.difference(from: old), snapshot: rearranged),
      ListSnapshotBatch(difference: self.difference(from: rearranged), snapshot: self),
    ].filter { !$0.difference.isEmpty }
  }

  /// This snapshot with those of its sections that are in `other` in the order in which they stand there. The others stay.
  private func withSections(inOrderOf other: ListSnapshot) -> ListSnapshot {
    var sections = sections
    let places = sections.indices.filter { other.index(ofSection: sections[$0].id) != nil }
    let order = other.sectionIDs.compactMap(index(ofSection:))
    for (place, origin) in zip(places, order) {
      sections[place] = Section(id: sectionIDs[origin], items: Array(items(inSection: origin)))
    }
    do { return try ListSnapshot(sections) } catch {
      fatalError("sections in another order have no duplicates: \(error)")
    }
  }
}
