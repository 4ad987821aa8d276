import AsyncViewModels
import Testing

/// What a snapshot promises by itself.
@Suite("Snapshot", .timeLimit(.minutes(1)))
struct ListSnapshotTests {
  @Test("sections and items are found by index, path and id, empty sections between them or not")
  func lookup() throws {
    let snapshot = try Shelves([("a", []), ("b", [1, 2]), ("c", []), ("d", []), ("e", [3]), ("f", [])])
    #expect(snapshot.sectionIDs == ["a", "b", "c", "d", "e", "f"])
    #expect(snapshot.sectionCount == 6)
    #expect(snapshot.itemCount == 3)
    #expect(snapshot.items(inSection: 1).map(\.id) == [1, 2])
    #expect(snapshot.items(inSection: 3).isEmpty)
    #expect(snapshot.path(of: 1) == ListSnapshotPath(section: 1, item: 0))
    #expect(snapshot.path(of: 2) == ListSnapshotPath(section: 1, item: 1))
    #expect(snapshot.path(of: 3) == ListSnapshotPath(section: 4, item: 0))
    #expect(snapshot.path(of: 4) == nil)
    #expect(snapshot[ListSnapshotPath(section: 4, item: 0)].id == 3)
    #expect(snapshot.item(2)?.content == "")
    #expect(snapshot.index(ofSection: "d") == 3)
    #expect(try Shelves(snapshot.sections) == snapshot)
  }

  @Test("an item that is there twice is refused, with its id and both places")
  func duplicateItem() {
    #expect(
      throws: ListSnapshotError<String, Int>.duplicateItem(
        2, at: ListSnapshotPath(section: 0, item: 1), and: ListSnapshotPath(section: 2, item: 0))
    ) { try Shelves([("a", [1, 2]), ("b", []), ("c", [2])]) }
    #expect(
      throws: ListSnapshotError<String, Int>.duplicateItem(
        1, at: ListSnapshotPath(section: 0, item: 0), and: ListSnapshotPath(section: 0, item: 2))
    ) { try Shelves([("a", [1, 2, 1])]) }
  }

  @Test("a section that is there twice is refused, with its id and both places")
  func duplicateSection() {
    #expect(throws: ListSnapshotError<String, Int>.duplicateSection("a", at: 0, and: 2)) {
      try Shelves([("a", [1]), ("b", []), ("a", [2])])
    }
  }

  @Test("cells are equal by id, snapshots by what they show")
  func equality() throws {
    let (plain, red) = (Shelves.Item(id: 1, content: ""), Shelves.Item(id: 1, content: "red"))
    #expect(plain == red)
    #expect(Set([plain, red]).count == 1)
    #expect(!plain.hasSameContent(as: red))
    #expect(plain.hasSameContent(as: Shelves.Item(id: 2, content: "")))
    #expect(try Shelves([("a", [1])]) != Shelves([("a", [1])], contents: [1: "red"]))
    #expect(try Shelves([("a", [1, 2])]) != Shelves([("a", [1]), ("b", [2])]))
    #expect(try Shelves([("a", [1, 2])]) == Shelves([("a", [1, 2])]))
  }

  @Test("grouping keeps the order within a group, orders the groups, and shows none that is empty")
  func grouping() throws {
    struct Row: Identifiable, Equatable, Sendable { let id: Int }
    let rows = [5, 2, 3, 8, 1].map { Row(id: $0) }
    let snapshot = try ListSnapshot(grouping: rows) { $0.id % 2 }
    #expect(snapshot.sectionIDs == [0, 1])
    #expect(snapshot.items(inSection: 0).map(\.id) == [2, 8])
    #expect(snapshot.items(inSection: 1).map(\.id) == [5, 3, 1])
    #expect(throws: ListSnapshotError<Int, Int>.self) {
      try ListSnapshot(grouping: rows + rows) { $0.id % 2 }
    }
  }

  @Test("a path that the snapshot does not have is a programming error that names it")
  func badPath() async {
    await #expect(processExitsWith: .failure) {
      _ = try Shelves([("a", [1])])[ListSnapshotPath(section: 0, item: 1)]
    }
    await #expect(processExitsWith: .failure) { _ = try Shelves([("a", [1])]).items(inSection: 1) }
  }
}
