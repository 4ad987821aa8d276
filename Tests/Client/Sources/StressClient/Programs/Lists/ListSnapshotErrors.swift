import AsyncViewModels
import ListSnapshots

extension StressProgram {
  /// Runs the program `list-snapshot-errors`: tasks that share a snapshot cause each error once per round.
  static func listSnapshotErrors(load: Load) async throws {
    let old = try TestSnapshot(fruit)
    try await load.inParallel { _ in
      for round in 0..<(4_000 / load.tasks) {
        try checkDuplicates()
        if round % 16 == 0 { await Task.yield() }
        try checkSectionErrors(by: old)
        if round % 16 == 8 { await Task.yield() }
        try checkItemErrors(by: old)
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

  private static func checkError(
    _ expected: TestSnapshot.DifferenceError, by old: TestSnapshot,
    _ change: (inout TestSnapshot.Difference) -> Void
  ) throws {
    var difference = TestSnapshot.Difference()
    change(&difference)
    try expectError(expected) { () throws(TestSnapshot.DifferenceError) in _ = try old.applying(difference) }
  }

  private static func checkSectionErrors(by old: TestSnapshot) throws {
    try checkError(.sectionNotFound("fruit", at: 1), by: old) {
      $0.deletedSections = [.init(id: "fruit", index: 1)]
    }
    try checkError(.sectionTaken("fruit", at: 0), by: old) {
      $0.deletedSections = [.init(id: "fruit", index: 0)]
      $0.movedSections = [.init(id: "fruit", from: 0, to: 0)]
    }
    try checkError(.sectionNotPlaced("new", at: 5), by: old) {
      $0.insertedSections = [.init(section: TestSnapshot.Section(id: "new"), index: 5)]
    }
    try checkError(.duplicate(.duplicateSection("nuts", at: 0, and: 2)), by: old) {
      $0.insertedSections = [.init(section: TestSnapshot.Section(id: "nuts"), index: 0)]
    }
  }

  private static func checkItemErrors(by old: TestSnapshot) throws {
    try checkError(.itemNotFound("apple", at: path(0, 1)), by: old) {
      $0.deletedItems = [.init(id: "apple", path: path(0, 1))]
    }
    try checkError(.itemTaken("apple", at: path(0, 0)), by: old) {
      $0.deletedItems = [.init(id: "apple", path: path(0, 0))]
      $0.movedItems = [.init(id: "apple", from: path(0, 0), to: path(1, 0))]
    }
    try checkError(.itemNotPlaced("plum", at: path(1, 1)), by: old) {
      $0.insertedItems = [.init(item: TestSnapshot.Item(CellContent("plum", "blue")), path: path(1, 1))]
    }
    try checkError(.itemNotFound("pear", at: path(0, 0)), by: old) {
      $0.reconfiguredItems = [.init(item: pear, from: path(0, 1), to: path(0, 0))]
    }
  }
}
