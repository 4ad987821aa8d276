/// One batch of updates for a list view, and the snapshot that its data source shows afterwards.
public struct ListSnapshotBatch<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
>: Sendable {
  /// The updates of the batch.
  public let difference: ListSnapshotDifference<SectionID, ItemID, Content>
  /// The snapshot after the batch.
  public let snapshot: ListSnapshot<SectionID, ItemID, Content>
}

extension ListSnapshot {
  /// Returns the batches of updates that take a list view from `old` to this snapshot.
  ///
  /// If sections have moved, the first batch only moves sections. The second batch contains all other changes.
  /// Equal snapshots give no batches.
  ///
  /// ``difference(from:)`` returns all changes at once. But the table and collection views of UIKit are known
  /// to raise an exception if one batch moves a section and changes its items.
  ///
  /// - Complexity: That of ``difference(from:)``. If sections have moved, three times that, and O(sections
  ///   and items) hashes.
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

  /// Returns this snapshot with its sections reordered: those that are also in `other` get the order of
  /// `other`. The remaining sections keep their places.
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
