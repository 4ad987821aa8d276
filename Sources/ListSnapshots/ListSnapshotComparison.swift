/// Builds the difference from one snapshot to another. It compares the sections first, and then the
/// items.
@usableFromInline
struct ListSnapshotComparison<
  SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content: Equatable & Sendable
> {
  @usableFromInline typealias Storage = ListSnapshotStorage<SectionID, ItemID, Content>
  @usableFromInline typealias Difference = ListSnapshotDifference<SectionID, ItemID, Content>

  @usableFromInline let old: Storage
  @usableFromInline let new: Storage
  @usableFromInline var difference = Difference()
  /// For each new section, the index of the old section with the same id, or `nil`.
  @usableFromInline var origins: [Int?] = []
  /// For each old section, whether it is also in the new snapshot.
  @usableFromInline var survives: [Bool]
  /// The offsets of the old items that were found in the new snapshot.
  @usableFromInline var found: [Range<Int>] = []
  /// The number of old items that are in surviving sections and were not yet found in the new
  /// snapshot.
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
      origins.append(origin)
      if let origin {
        survives[origin] = true
        runs.append(ListSnapshotRun(old: origin, new: index, count: 1))
      } else {
        let section = ListSnapshotSection(id: id, items: Array(new.items[new.range(ofSection: index)]))
        difference.insertedSections.append(.init(section: section, index: index))
      }
    }
    runs.markStayingRuns()
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

  /// Compares the items of the sections that are in both snapshots. Requires ``compareSections()``
  /// first.
  @inlinable
  mutating func compareItems() {
    for (index, origin) in origins.enumerated() {
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

extension ListSnapshotComparison {
  /// Compares the items of a new section with the items of the old section that has the same id.
  @inlinable
  mutating func compareItems(of section: Int, with origin: Int) {
    let (olds, news) = (old.range(ofSection: origin), new.range(ofSection: section))
    var runs: [ListSnapshotRun] = []
    var (expected, offset) = (olds.lowerBound, news.lowerBound)
    while true {
      let count = lengthOfRun(from: expected..<olds.upperBound, to: offset..<news.upperBound)
      if count > 0 {
        runs.append(ListSnapshotRun(old: expected, new: offset, count: count))
        expected += count
        offset += count
      }
      guard offset < news.upperBound else { break }
      switch old.offsets[new.items[offset].id] {
      case let found? where olds.contains(found):
        expected = found
        continue
      case let found? where survives[old.path(at: found).section]:
        runs.append(ListSnapshotRun(old: found, new: offset, count: 1, isForeign: true))
        compareContent(found, offset)
      default:
        difference.insertedItems.append(.init(item: new.items[offset], path: new.path(at: offset)))
      }
      offset += 1
    }
    runs.markStayingRuns()
    for run in runs { account(for: run) }
  }

  /// Returns how many leading items have the same ids in both ranges, and records which of these
  /// items have new content.
  @inlinable
  mutating func lengthOfRun(from olds: Range<Int>, to news: Range<Int>) -> Int {
    let limit = min(olds.count, news.count)
    var count = 0
    while true {
      count += lengthOfEqualRun(olds.lowerBound + count, news.lowerBound + count, limit: limit - count)
      let (before, after) = (olds.lowerBound + count, news.lowerBound + count)
      guard count < limit, old.items[before].id == new.items[after].id else { return count }
      reconfigure(before, after)
      count += 1
    }
  }

  /// Returns the number of consecutive equal items, from `before` in the old items and from `after`
  /// in the new items. Counts at most `limit` items.
  ///
  /// A comparison usually spends most of its time in this loop. The loop uses pointers, because
  /// access by index retains and releases the content of each item.
  @inlinable
  func lengthOfEqualRun(_ before: Int, _ after: Int, limit: Int) -> Int {
    unsafe old.items.withUnsafeBufferPointer { olds in
      unsafe new.items.withUnsafeBufferPointer { news in
        var count = 0
        while count < limit, unsafe olds[before + count] == news[after + count] { count += 1 }
        return count
      }
    }
  }

  @inlinable
  mutating func compareContent(_ before: Int, _ after: Int) {
    if new.items[after].content != old.items[before].content { reconfigure(before, after) }
  }

  @inlinable
  mutating func reconfigure(_ before: Int, _ after: Int) {
    difference.reconfiguredItems.append(
      .init(item: new.items[after], from: old.path(at: before), to: new.path(at: after)))
  }

  @inlinable
  mutating func account(for run: ListSnapshotRun) {
    missing -= run.count
    found.append(run.old..<run.old + run.count)
    guard !run.stays else { return }
    for step in 0..<run.count {
      difference.movedItems.append(
        .init(
          id: new.items[run.new + step].id, from: old.path(at: run.old + step),
          to: new.path(at: run.new + step)))
    }
  }
}
