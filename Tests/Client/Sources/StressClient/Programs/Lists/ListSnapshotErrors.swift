import AsyncViewModels

extension StressProgram {
  /// Runs the program `list-snapshot-errors`: tasks cause each error once per round.
  static func listSnapshotErrors(load: Load) async throws {
    try await load.inParallel { _ in
      for round in 0..<(4_000 / load.tasks) {
        try checkDuplicates()
        if round % 16 == 0 { await Task.yield() }
      }
    }
  }

  private static let apple = TestSnapshot.Item(CellContent("apple", "red"))
  private static let pear = TestSnapshot.Item(CellContent("pear", "green"))
  private static let fruit = [
    TestSnapshot.Section(id: "fruit", items: [apple, pear]), TestSnapshot.Section(id: "nuts"),
  ]

  private static func path(_ section: Int, _ item: Int) -> ListSnapshotPath {
    ListSnapshotPath(section: section, item: item)
  }

  private static func checkDuplicates() throws {
    try expectError(.duplicateSection("nuts", at: 1, and: 2)) {
      () throws(ListSnapshotError<String, String>) in
      _ = try TestSnapshot(fruit + [TestSnapshot.Section(id: "nuts")])
    }
    try expectError(.duplicateItem("pear", at: path(0, 1), and: path(2, 0))) {
      () throws(ListSnapshotError<String, String>) in
      _ = try TestSnapshot(fruit + [TestSnapshot.Section(id: "more", items: [pear])])
    }
    try expectError(.duplicateItem("apple", at: path(0, 0), and: path(1, 0))) {
      () throws(ListSnapshotError<Int, String>) in
      _ = try ListSnapshot(grouping: [apple.content, CellContent("apple", "green")]) { $0.text.count }
    }
  }
}
