extension ListSnapshotComparison {
  /// Compares a new section with the old one of the same id.
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
    runs.markThoseThatStay()
    for run in runs { account(for: run) }
  }

  /// How far the new items go on as the old ones do, whatever their contents.
  @inlinable
  mutating func lengthOfRun(from olds: Range<Int>, to news: Range<Int>) -> Int {
    let limit = min(olds.count, news.count)
    var count = 0
    while true {
      count += lengthOfEqualRun(olds.lowerBound + count, news.lowerBound + count, limit: limit - count)
      let (before, after) = (olds.lowerBound + count, news.lowerBound + count)
      guard count < limit, old.items[before] == new.items[after] else { return count }
      reconfigure(before, after)
      count += 1
    }
  }

  /// The one loop that sees every item: through pointers, because access by index keeps and lets go each content that it compares.
  @inlinable
  func lengthOfEqualRun(_ before: Int, _ after: Int, limit: Int) -> Int {
    unsafe old.items.withUnsafeBufferPointer { olds in
      unsafe new.items.withUnsafeBufferPointer { news in
        var count = 0
        while count < limit, unsafe olds[before + count] == news[after + count],
          unsafe olds[before + count].hasSameContent(as: news[after + count])
        {
          count += 1
        }
        return count
      }
    }
  }

  @inlinable
  mutating func compareContent(_ before: Int, _ after: Int) {
    if !new.items[after].hasSameContent(as: old.items[before]) { reconfigure(before, after) }
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
