import AsyncViewModels
import AsyncViewModelsTesting
import ListSnapshots
import Testing
import ToolkitTestSupport

/// Lookup, validation and equality of a snapshot.
@Suite("ListSnapshot", .timeLimit(.minutes(5)), .endsWaits)
struct ListSnapshotTests {
  @Test("sections and items are found by index, path and id, also between empty sections")
  func lookup() throws {
    let snapshot = try TestSnapshot([("a", []), ("b", [1, 2]), ("c", []), ("d", []), ("e", [3]), ("f", [])])
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
    #expect(try TestSnapshot(snapshot.sections) == snapshot)
  }

  @Test("a duplicate item is rejected, and the error names its id and both paths")
  func duplicateItem() {
    #expect(
      throws: ListSnapshotError<String, Int>.duplicateItem(
        2, at: ListSnapshotPath(section: 0, item: 1), and: ListSnapshotPath(section: 2, item: 0))
    ) { try TestSnapshot([("a", [1, 2]), ("b", []), ("c", [2])]) }
    #expect(
      throws: ListSnapshotError<String, Int>.duplicateItem(
        1, at: ListSnapshotPath(section: 0, item: 0), and: ListSnapshotPath(section: 0, item: 2))
    ) { try TestSnapshot([("a", [1, 2, 1])]) }
  }

  @Test("a duplicate section is rejected, and the error names its id and both indices")
  func duplicateSection() {
    #expect(throws: ListSnapshotError<String, Int>.duplicateSection("a", at: 0, and: 2)) {
      try TestSnapshot([("a", [1]), ("b", []), ("a", [2])])
    }
  }

  @Test("items and snapshots are equal if their ids and contents are equal")
  func equality() throws {
    let (plain, red) = (TestSnapshot.Item(id: 1, content: ""), TestSnapshot.Item(id: 1, content: "red"))
    #expect(plain != red)
    #expect(plain != TestSnapshot.Item(id: 2, content: ""))
    #expect(plain == TestSnapshot.Item(id: 1, content: ""))
    #expect(try TestSnapshot([("a", [1])]) != TestSnapshot([("a", [1])], contents: [1: "red"]))
    #expect(try TestSnapshot([("a", [1, 2])]) != TestSnapshot([("a", [1]), ("b", [2])]))
    #expect(try TestSnapshot([("a", [1, 2])]) == TestSnapshot([("a", [1, 2])]))
    #expect(try TestSnapshot([("a", [1, 2]), ("b", [3])]) != TestSnapshot([("a", [1]), ("b", [2, 3])]))
  }

  @Test("`states(of:)` drops an equal item, but yields an item whose content has changed")
  func distinctStates() async {
    let state = StateStore([TestSnapshot.Item(id: 1, content: "")])
    var items = state.states(of: \.self, .unbounded).makeAsyncIterator()
    state.send([TestSnapshot.Item(id: 1, content: "")])
    state.send([TestSnapshot.Item(id: 1, content: "red")])
    state.finish()
    #expect(await items.next()?.first?.content == "")
    #expect(await items.next()?.first?.content == "red")
    #expect(await items.next() == nil)
  }

  @Test("grouping sorts the groups, keeps the order of the items in each group, and rejects a duplicate item")
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

  #if os(macOS) || os(Linux)
    @Test("a path or section index outside the snapshot terminates the process")
    func badPath() async {
      await #expect(processExitsWith: .failure) {
        _ = try TestSnapshot([("a", [1])])[ListSnapshotPath(section: 0, item: 1)]
      }
      await #expect(processExitsWith: .failure) { _ = try TestSnapshot([("a", [1])]).items(inSection: 1) }
    }
  #endif
}
