import AsyncViewModels
import Testing

/// What a difference says, one change at a time.
@Suite("ListSnapshotDifference", .timeLimit(.minutes(1)))
struct ListSnapshotDifferenceTests {
  @Test("between equal snapshots there is no difference")
  func none() throws {
    let old = try Shelves([("a", [1, 2]), ("b", [])])
    #expect(old.difference(from: old).isEmpty)
    #expect(try Shelves([("a", [1, 2]), ("b", [])]).difference(from: old).isEmpty)
    #expect(Shelves().difference(from: Shelves()).isEmpty)
  }

  @Test("deleted items are named by their old places, inserted ones by their new places")
  func insertsAndDeletes() throws {
    let old = try Shelves([("a", [1, 2, 3]), ("b", [4])])
    let difference = try Shelves([("a", [9, 1, 3]), ("b", [4, 8, 7])]).difference(from: old)
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

  @Test("an item that moved is named once, those that made way for it are not")
  func moveWithin() throws {
    let old = try Shelves([("a", [1, 2, 3, 4, 5])])
    for (items, id) in [([5, 1, 2, 3, 4], 5), ([2, 3, 4, 5, 1], 1), ([1, 4, 2, 3, 5], 4)] {
      let difference = try Shelves([("a", items)]).difference(from: old)
      #expect(difference.movedItems.map(\.id) == [id])
      #expect(difference.movedItems.first?.from == old.path(of: id))
      #expect(difference.movedItems.first?.to.item == items.firstIndex(of: id))
      #expect(difference.count == 1)
    }
  }

  @Test("an item that changes its section moves across, with its new content")
  func moveAcross() throws {
    let old = try Shelves([("a", [1, 2]), ("b", [3])])
    let difference = try Shelves([("a", [1]), ("b", [2, 3])], contents: [2: "red"]).difference(from: old)
    #expect(difference.movedItems.map(\.id) == [2])
    #expect(difference.movedItems.map(\.from) == [ListSnapshotPath(section: 0, item: 1)])
    #expect(difference.movedItems.map(\.to) == [ListSnapshotPath(section: 1, item: 0)])
    #expect(difference.reconfiguredItems.map(\.item.content) == ["red"])
    #expect(difference.reconfiguredItems.map(\.to) == [ListSnapshotPath(section: 1, item: 0)])
    #expect(difference.count == 2)
  }

  @Test("new content under an old id is reconfigured: neither deleted nor inserted")
  func reconfigured() throws {
    let old = try Shelves([("a", [1, 2, 3])])
    let difference = try Shelves([("a", [9, 1, 2])], contents: [2: "red"]).difference(from: old)
    #expect(difference.reconfiguredItems.map(\.item.id) == [2])
    #expect(difference.reconfiguredItems.map(\.item.content) == ["red"])
    #expect(difference.reconfiguredItems.map(\.from) == [ListSnapshotPath(section: 0, item: 1)])
    #expect(difference.reconfiguredItems.map(\.to) == [ListSnapshotPath(section: 0, item: 2)])
    #expect(difference.deletedItems.map(\.id) == [3])
    #expect(difference.insertedItems.map(\.item.id) == [9])
    #expect(difference.count == 3)
  }

  @Test("a section moves with its items, which are not named")
  func movedSection() throws {
    let old = try Shelves([("a", [1]), ("b", [2]), ("c", [3])])
    let difference = try Shelves([("c", [3]), ("a", [1]), ("b", [2])]).difference(from: old)
    #expect(difference.movedSections.map(\.id) == ["c"])
    #expect(difference.movedSections.map(\.from) == [2])
    #expect(difference.movedSections.map(\.to) == [0])
    #expect(difference.count == 1)
  }

  @Test("a section takes its items along, and brings them: no item moves out of the one or into the other")
  func sectionsComeAndGo() throws {
    let old = try Shelves([("a", [1, 2]), ("b", [3, 4])])
    let difference = try Shelves([("b", [1, 3]), ("c", [2, 4])]).difference(from: old)
    #expect(difference.deletedSections.map(\.index) == [0])
    #expect(difference.insertedSections.map(\.index) == [1])
    #expect(difference.insertedSections.map { $0.section.items.map(\.id) } == [[2, 4]])
    #expect(difference.insertedItems.map(\.item.id) == [1])
    #expect(difference.deletedItems.map(\.id) == [4])
    #expect(difference.movedItems.isEmpty)
    #expect(difference.count == 4)
  }

  @Test("an observer that has missed snapshots goes from what it shows to the newest at once")
  func catchingUp() throws {
    let first = try Shelves([("a", [1, 2, 3])])
    let second = try Shelves([("a", [1, 2, 3, 4])], contents: [1: "red"])
    let third = try Shelves([("a", [3, 1, 2])], contents: [1: "blue"])
    let difference = third.difference(from: first)
    #expect(difference.movedItems.map(\.id) == [3])
    #expect(difference.reconfiguredItems.map(\.item.content) == ["blue"])
    #expect(difference.count == 2, "what came and went in between leaves no trace")
    #expect(try first.applying(difference) == third)
    #expect(try second.applying(third.difference(from: second)) == third)
  }
}
