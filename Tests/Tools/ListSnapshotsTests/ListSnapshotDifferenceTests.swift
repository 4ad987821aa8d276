import AsyncViewModels
import AsyncViewModelsTesting
import ListSnapshots
import Testing
import ToolkitTestSupport

/// The content of a difference, one kind of change at a time.
@Suite("ListSnapshotDifference", .timeLimit(.minutes(5)), .endsWaits)
struct ListSnapshotDifferenceTests {
  @Test("the difference of equal snapshots is empty")
  func equalSnapshots() throws {
    let old = try TestSnapshot([("a", [1, 2]), ("b", [])])
    #expect(old.difference(from: old).isEmpty)
    #expect(try TestSnapshot([("a", [1, 2]), ("b", [])]).difference(from: old).isEmpty)
    #expect(TestSnapshot().difference(from: TestSnapshot()).isEmpty)
  }

  @Test("deleted items have their old paths, and inserted items have their new paths")
  func insertsAndDeletes() throws {
    let old = try TestSnapshot([("a", [1, 2, 3]), ("b", [4])])
    let difference = try TestSnapshot([("a", [9, 1, 3]), ("b", [4, 8, 7])]).difference(from: old)
    #expect(difference.deletedItems.map(\.id) == [2])
    #expect(difference.deletedItems.map(\.path) == [ListSnapshotPath(section: 0, item: 1)])
    #expect(difference.insertedItems.map(\.item.id) == [9, 8, 7])
    #expect(
      difference.insertedItems.map(\.path) == [
        ListSnapshotPath(section: 0, item: 0), ListSnapshotPath(section: 1, item: 1),
        ListSnapshotPath(section: 1, item: 2),
      ])
    #expect(difference.count == 4)
  }

  @Test("a difference lists an item that moved, but not the items that only shifted")
  func moveWithin() throws {
    let old = try TestSnapshot([("a", [1, 2, 3, 4, 5])])
    for (items, id) in [([5, 1, 2, 3, 4], 5), ([2, 3, 4, 5, 1], 1), ([1, 4, 2, 3, 5], 4)] {
      let difference = try TestSnapshot([("a", items)]).difference(from: old)
      #expect(difference.movedItems.map(\.id) == [id])
      #expect(difference.movedItems.first?.from == old.path(of: id))
      #expect(difference.movedItems.first?.to.item == items.firstIndex(of: id))
      #expect(difference.count == 1)
    }
  }

  @Test("an item that changes its section and its content is listed as moved and as reconfigured")
  func moveAcross() throws {
    let old = try TestSnapshot([("a", [1, 2]), ("b", [3])])
    let difference = try TestSnapshot([("a", [1]), ("b", [2, 3])], contents: [2: "red"]).difference(from: old)
    #expect(difference.movedItems.map(\.id) == [2])
    #expect(difference.movedItems.map(\.from) == [ListSnapshotPath(section: 0, item: 1)])
    #expect(difference.movedItems.map(\.to) == [ListSnapshotPath(section: 1, item: 0)])
    #expect(difference.reconfiguredItems.map(\.item.content) == ["red"])
    #expect(difference.reconfiguredItems.map(\.to) == [ListSnapshotPath(section: 1, item: 0)])
    #expect(difference.count == 2)
  }

  @Test("an item with new content is reconfigured, neither deleted nor inserted")
  func reconfigured() throws {
    let old = try TestSnapshot([("a", [1, 2, 3])])
    let difference = try TestSnapshot([("a", [9, 1, 2])], contents: [2: "red"]).difference(from: old)
    #expect(difference.reconfiguredItems.map(\.item.id) == [2])
    #expect(difference.reconfiguredItems.map(\.item.content) == ["red"])
    #expect(difference.reconfiguredItems.map(\.from) == [ListSnapshotPath(section: 0, item: 1)])
    #expect(difference.reconfiguredItems.map(\.to) == [ListSnapshotPath(section: 0, item: 2)])
    #expect(difference.deletedItems.map(\.id) == [3])
    #expect(difference.insertedItems.map(\.item.id) == [9])
    #expect(difference.count == 3)
  }

  @Test("a difference lists a section that moved, but not the items in the section")
  func movedSection() throws {
    let old = try TestSnapshot([("a", [1]), ("b", [2]), ("c", [3])])
    let difference = try TestSnapshot([("c", [3]), ("a", [1]), ("b", [2])]).difference(from: old)
    #expect(difference.movedSections.map(\.id) == ["c"])
    #expect(difference.movedSections.map(\.from) == [2])
    #expect(difference.movedSections.map(\.to) == [0])
    #expect(difference.count == 1)
  }

  @Test("sections that only moved need one batch of updates; equal snapshots need none")
  func batchesOfMovedSections() throws {
    let old = try TestSnapshot([("a", [1]), ("b", [2])])
    let new = try TestSnapshot([("b", [2]), ("a", [1])])
    let batches = new.batches(from: old)
    #expect(batches.map(\.snapshot) == [new])
    #expect(batches.map(\.difference.count) == [1])
    #expect(new.batches(from: new).isEmpty)
  }

  @Test("an item that leaves a deleted section or enters an inserted section is not listed as moved")
  func sectionsComeAndGo() throws {
    let old = try TestSnapshot([("a", [1, 2]), ("b", [3, 4])])
    let difference = try TestSnapshot([("b", [1, 3]), ("c", [2, 4])]).difference(from: old)
    #expect(difference.deletedSections.map(\.index) == [0])
    #expect(difference.insertedSections.map(\.index) == [1])
    #expect(difference.insertedSections.map { $0.section.items.map(\.id) } == [[2, 4]])
    #expect(difference.insertedItems.map(\.item.id) == [1])
    #expect(difference.deletedItems.map(\.id) == [4])
    #expect(difference.movedItems.isEmpty)
    #expect(difference.count == 4)
  }

  @Test("an observer that missed snapshots needs one difference, from the shown snapshot to the newest")
  func catchingUp() throws {
    let first = try TestSnapshot([("a", [1, 2, 3])])
    let second = try TestSnapshot([("a", [1, 2, 3, 4])], contents: [1: "red"])
    let third = try TestSnapshot([("a", [3, 1, 2])], contents: [1: "blue"])
    let difference = third.difference(from: first)
    #expect(difference.movedItems.map(\.id) == [3])
    #expect(difference.reconfiguredItems.map(\.item.content) == ["blue"])
    #expect(difference.count == 2, "the difference contains no intermediate change")
    for shown in [first, second] {
      let rows = ListViewDouble(showing: shown).performing(third.difference(from: shown))
      #expect(rows == third.sections.map(\.rows))
    }
  }
}
