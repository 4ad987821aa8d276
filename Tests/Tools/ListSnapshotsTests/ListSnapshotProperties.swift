import AsyncViewModels
import AsyncViewModelsTesting
import ListSnapshots
import Testing
import ToolkitTestSupport

/// Properties of every difference, checked on thousands of random pairs of snapshots.
@Suite("ListSnapshotDifference: properties", .timeLimit(.minutes(5)), .endsWaits)
struct ListSnapshotProperties {
  @Test("a list view that performs the difference shows the new snapshot", arguments: [1, 2, 3, 4])
  func roundTrip(seed: UInt64) throws {
    var random = RandomSnapshots(seed: seed)
    for round in 0..<800 {
      let old = try random.snapshot(sections: 1 + round % 6, items: round % 24)
      let unrelated = try random.snapshot(sections: 1 + round % 6, items: round % 24)
      let related = try random.variation(of: old, changes: round % 12)
      for new in [unrelated, related] {
        let difference = new.difference(from: old)
        #expect(ListViewDouble(showing: old).performing(difference) == new.sections.map(\.rows))
        #expect(difference.isEmpty == (old == new))
      }
    }
  }

  @Test(
    "batches lead to the new snapshot, and a batch that moves sections changes nothing else",
    arguments: [1, 2])
  func batches(seed: UInt64) throws {
    var random = RandomSnapshots(seed: seed)
    for round in 0..<800 {
      let old = try random.snapshot(sections: 1 + round % 6, items: round % 24)
      let new = try random.variation(of: old, changes: round % 12)
      var shown = old
      let batches = new.batches(from: old)
      for batch in batches {
        let sectionMoves = batch.difference.movedSections.count
        #expect(sectionMoves == 0 || sectionMoves == batch.difference.count)
        #expect(
          ListViewDouble(showing: shown).performing(batch.difference) == batch.snapshot.sections.map(\.rows))
        shown = batch.snapshot
      }
      #expect(shown == new)
      #expect(batches.count <= 2)
      #expect(batches.isEmpty == (old == new))
    }
  }

  @Test("each list of a difference is sorted", arguments: [1, 2])
  func order(seed: UInt64) throws {
    var random = RandomSnapshots(seed: seed)
    for round in 0..<300 {
      let old = try random.snapshot(sections: 5, items: round)
      let difference = try random.variation(of: old, changes: round % 30).difference(from: old)
      expectSorted(difference.deletedSections.map(\.index))
      expectSorted(difference.insertedSections.map(\.index))
      expectSorted(difference.movedSections.map(\.to))
      expectSorted(difference.deletedItems.map(\.path))
      expectSorted(difference.insertedItems.map(\.path))
      expectSorted(difference.movedItems.map(\.to))
      expectSorted(difference.reconfiguredItems.map(\.to))
    }
  }

  private func expectSorted<Position: Comparable>(_ positions: [Position]) {
    #expect(positions == positions.sorted())
  }

  @Test("a difference moves as few items as possible", arguments: [1, 2, 3])
  func fewestMoves(seed: UInt64) throws {
    var random = RandomSnapshots(seed: seed)
    for round in 0..<500 {
      let count = round % 40
      let permutation = random.shuffled(Array(0..<count))
      // Some items are deleted and some inserted. Of the others, as few as possible may move.
      let kept = permutation.filter { _ in random.below(4) > 0 }
      let old = try TestSnapshot([("a", Array(0..<count))])
      let new = try TestSnapshot([("a", kept.flatMap { $0 % 5 == 0 ? [$0, $0 + 100] : [$0] })])
      let difference = new.difference(from: old)
      #expect(difference.movedItems.count == kept.count - longestIncreasingSubsequence(of: kept))
      #expect(ListViewDouble(showing: old).performing(difference) == new.sections.map(\.rows))
    }
  }

  @Test("a difference moves as few sections as possible")
  func fewestSectionMoves() throws {
    var random = RandomSnapshots(seed: 5)
    for count in 0..<60 {
      let permutation = random.shuffled(Array(0..<count))
      let old = try TestSnapshot((0..<count).map { ("\($0)", [$0]) })
      let new = try TestSnapshot(permutation.map { ("\($0)", [$0]) })
      let difference = new.difference(from: old)
      #expect(difference.movedSections.count == count - longestIncreasingSubsequence(of: permutation))
      #expect(difference.count == difference.movedSections.count)
    }
  }

  @Test("the difference for a hundred changes to 10,000 items has a hundred changes")
  func large() throws {
    let ids = Array(0..<10_000)
    var changed = ids
    var contents: [Int: String] = [:]
    for step in 0..<25 {
      let index = 10_000 - 400 * step - 100
      contents[changed[index - 200]] = "new"
      changed.insert(20_000 + step, at: index)
      changed.swapAt(index - 100, index - 101)
      changed.remove(at: index - 150)
    }
    let old = try TestSnapshot([("a", ids)])
    let new = try TestSnapshot([("a", changed)], contents: contents)
    let difference = new.difference(from: old)
    #expect(difference.insertedItems.count == 25)
    #expect(difference.deletedItems.count == 25)
    #expect(difference.movedItems.count == 25)
    #expect(difference.reconfiguredItems.count == 25)
    #expect(ListViewDouble(showing: old).performing(difference) == new.sections.map(\.rows))
  }

  private func longestIncreasingSubsequence(of numbers: [Int]) -> Int {
    var lengths = [Int](repeating: 1, count: numbers.count)
    for index in numbers.indices {
      for before in 0..<index where numbers[before] < numbers[index] {
        lengths[index] = max(lengths[index], lengths[before] + 1)
      }
    }
    return lengths.max() ?? 0
  }
}
