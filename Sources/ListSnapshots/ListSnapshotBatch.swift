/// One batch of updates for a list view, and the snapshot that the list view shows after the batch.
public struct ListSnapshotBatch<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
>: Sendable {
  /// The updates of the batch.
  public let difference: ListSnapshotDifference<SectionID, ItemID, Content>
  /// The snapshot after the batch.
  public let snapshot: ListSnapshot<SectionID, ItemID, Content>
}

extension ListSnapshot {
  /// Returns the batches of updates that change a list view from `old` to this snapshot.
  ///
  /// If sections have moved, the first batch only moves sections, and a second batch contains the
  /// other changes, if any. If no sections have moved, there is one batch. For equal snapshots,
  /// there is no batch.
  ///
  /// The single difference that ``difference(from:)`` returns can both move a section and change
  /// the items of that section. The table and collection views of UIKit are known to raise an
  /// exception for a batch that does both.
  ///
  /// - Complexity: One call of ``difference(from:)``. If sections have moved, three calls, and the
  ///   creation of one snapshot, which hashes every section id and item id.
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

  /// Returns this snapshot with its sections reordered. The sections that are also in `other` take
  /// the order of `other`. All other sections keep their indices.
  private func withSections(inOrderOf other: ListSnapshot) -> ListSnapshot {
    var sections = sections
    let places = sections.indices.filter { other.index(ofSection: sections[$0].id) != nil }
    let order = other.sectionIDs.compactMap(index(ofSection:))
    for (place, origin) in zip(places, order) {
      sections[place] = Section(id: sectionIDs[origin], items: Array(items(inSection: origin)))
    }
    do { return try ListSnapshot(sections) } catch {
      fatalError("Reordered sections cannot contain duplicates: \(error)")
    }
  }
}
