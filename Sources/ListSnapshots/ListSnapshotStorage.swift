/// The storage that copies of a ``ListSnapshot`` share.
///
/// All items are in one array, so that comparing two snapshots reads memory sequentially.
@usableFromInline
final class ListSnapshotStorage<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
>: Sendable {
  @usableFromInline typealias Item = ListSnapshotItem<ItemID, Content>

  @usableFromInline let sectionIDs: [SectionID]
  @usableFromInline let items: [Item]
  /// The offset of each section's first item, followed by the number of items.
  @usableFromInline let starts: [Int]
  @usableFromInline let sectionIndices: [SectionID: Int]
  @usableFromInline let offsets: [ItemID: Int]

  @inlinable
  init(
    _ sections: [ListSnapshotSection<SectionID, ItemID, Content>]
  ) throws(ListSnapshotError<SectionID, ItemID>) {
    var starts = [0]
    var sectionIndices = [SectionID: Int](minimumCapacity: sections.count)
    for (index, section) in sections.enumerated() {
      if let other = sectionIndices.updateValue(index, forKey: section.id) {
        throw .duplicateSection(section.id, at: other, and: index)
      }
      starts.append(starts[index] + section.items.count)
    }
    // If there is only one section, `items` shares the array of that section, and no element is
    // copied.
    var items = sections.first?.items ?? []
    if sections.count > 1 { items.reserveCapacity(starts[sections.count]) }
    for section in sections.dropFirst() { items += section.items }
    var offsets = [ItemID: Int](minimumCapacity: items.count)
    for offset in items.indices {
      if let other = offsets.updateValue(offset, forKey: items[offset].id) {
        throw .duplicateItem(
          items[offset].id, at: Self.path(at: other, starts), and: Self.path(at: offset, starts))
      }
    }
    sectionIDs = sections.map { $0.id }
    self.items = items
    self.starts = starts
    self.sectionIndices = sectionIndices
    self.offsets = offsets
  }

  @inlinable
  func range(ofSection index: Int) -> Range<Int> {
    guard sectionIDs.indices.contains(index) else { fatalError("ListSnapshot: there is no section \(index)") }
    return starts[index]..<starts[index + 1]
  }

  @inlinable
  func offset(at path: ListSnapshotPath) -> Int? {
    guard sectionIDs.indices.contains(path.section) else { return nil }
    let range = range(ofSection: path.section)
    return path.item >= 0 && path.item < range.count ? range.lowerBound + path.item : nil
  }

  @inlinable
  func path(at offset: Int) -> ListSnapshotPath { Self.path(at: offset, starts) }

  /// Returns the path of the item at `offset`.
  ///
  /// The item is in the last section that starts at or before `offset`. Earlier sections that also
  /// start at `offset` are empty.
  ///
  /// - Complexity: O(log(number of sections)).
  @inlinable
  static func path(at offset: Int, _ starts: [Int]) -> ListSnapshotPath {
    var (low, high) = (0, starts.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return ListSnapshotPath(section: low, item: offset - starts[low])
  }
}
