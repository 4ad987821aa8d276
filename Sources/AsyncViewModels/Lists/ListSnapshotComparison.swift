/// One walk through two snapshots, side by side.
@usableFromInline
struct ListSnapshotComparison<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
> {
  @usableFromInline typealias Storage = ListSnapshotStorage<SectionID, ItemID, Content>
  @usableFromInline typealias Difference = ListSnapshotDifference<SectionID, ItemID, Content>

  @usableFromInline let old: Storage
  @usableFromInline let new: Storage
  @usableFromInline var difference = Difference()
  /// For each new section the old one, where there is one.
  @usableFromInline var servers: [Int?] = []
  /// Which of the old sections are still there.
  @usableFromInline var survives: [Bool]
  /// The old items that are accounted for.
  @usableFromInline var found: [Range<Int>] = []
  /// How many old items of surviving sections are not.
  @usableFromInline var missing = 0

  @inlinable
  init(from old: Storage, to new: Storage) {
    self.old = old
    self.new = new
    survives = Array(repeating: false, count: old.sectionIDs.count)
  }

  @inlinable
  mutating func compareSections() {
    var runs: [ListSnapshotRun] = []
    for (index, id) in new.sectionIDs.enumerated() {
      let origin = old.sectionIndices[id]
      servers.append(origin)
      if let origin {
        survives[origin] = true
        runs.append(ListSnapshotRun(old: origin, new: index, count: 1))
      } else {
        let section = ListSnapshotSection(id: id, items: Array(new.items[new.range(ofSection: index)]))
        difference.insertedSections.append(.init(section: section, index: index))
      }
    }
    runs.markThoseThatStay()
    for run in runs where !run.stays {
      difference.movedSections.append(.init(id: new.sectionIDs[run.new], from: run.old, to: run.new))
    }
    for index in survives.indices {
      if survives[index] {
        missing += old.range(ofSection: index).count
      } else {
        difference.deletedSections.append(.init(id: old.sectionIDs[index], index: index))
      }
    }
  }

  /// After ``compareSections()``.
  @inlinable
  mutating func compareItems() {
    for (index, origin) in servers.enumerated() {
      if let origin { compareItems(of: index, with: origin) }
    }
    if missing > 0 { collectDeletedItems() }
  }

  @inlinable
  mutating func collectDeletedItems() {
    var isFound = [Bool](repeating: false, count: old.items.count)
    for range in found { isFound.replaceSubrange(range, with: repeatElement(true, count: range.count)) }
    for section in survives.indices where survives[section] {
      let range = old.range(ofSection: section)
      for offset in range where !isFound[offset] {
        let path = ListSnapshotPath(section: section, item: offset - range.lowerBound)
        difference.deletedItems.append(.init(id: old.items[offset].id, path: path))
      }
    }
  }
}
