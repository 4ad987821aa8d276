package import ListSnapshots

/// A change of a difference that does not fit the snapshot.
package struct MisfitChange: Error {}

extension ListSnapshot {
  /// Applies a difference as a list view does: removes from the back, then inserts from the front, and last
  /// changes the contents.
  ///
  /// This oracle shares no code with ``difference(from:)``.
  ///
  /// - Throws: ``MisfitChange`` for a change that does not fit.
  package func applying(
    _ difference: ListSnapshotDifference<SectionID, ItemID, Content>
  ) throws -> ListSnapshot {
    var rows = sections.map { ($0.id, $0.items) }
    let leaving =
      difference.deletedItems.map { ($0.id, $0.path) } + difference.movedItems.map { ($0.id, $0.from) }
    for (id, path) in leaving.sorted(by: { $0.1 > $1.1 }) {
      guard rows.item(at: path)?.id == id else { throw MisfitChange() }
      rows[path.section].1.remove(at: path.item)
    }
    var arriving = difference.insertedSections.map { ($0.index, ($0.section.id, $0.section.items)) }
    let leavingSections =
      difference.deletedSections.map { ($0.id, $0.index, Int?.none) }
      + difference.movedSections.map { ($0.id, $0.from, $0.to) }
    for (id, index, target) in leavingSections.sorted(by: { $0.1 > $1.1 }) {
      guard rows.indices.contains(index), rows[index].0 == id else { throw MisfitChange() }
      let section = rows.remove(at: index)
      if let target { arriving.append((target, section)) }
    }
    for (index, section) in arriving.sorted(by: { $0.0 < $1.0 }) {
      guard index <= rows.count else { throw MisfitChange() }
      rows.insert(section, at: index)
    }
    let items =
      try difference.insertedItems.map { ($0.item, $0.path) }
      + difference.movedItems.map { change in
        guard let item = item(change.id), path(of: change.id) == change.from else { throw MisfitChange() }
        return (item, change.to)
      }
    for (item, path) in items.sorted(by: { $0.1 < $1.1 }) {
      guard rows.indices.contains(path.section), path.item <= rows[path.section].1.count else {
        throw MisfitChange()
      }
      rows[path.section].1.insert(item, at: path.item)
    }
    for change in difference.reconfiguredItems {
      guard path(of: change.item.id) == change.from, rows.item(at: change.to)?.id == change.item.id else {
        throw MisfitChange()
      }
      rows[change.to.section].1[change.to.item] = change.item
    }
    return try ListSnapshot(rows.map { Section(id: $0, items: $1) })
  }
}

extension Array {
  fileprivate func item<ID, Item>(at path: ListSnapshotPath) -> Item? where Element == (ID, [Item]) {
    guard indices.contains(path.section), self[path.section].1.indices.contains(path.item) else { return nil }
    return self[path.section].1[path.item]
  }
}
