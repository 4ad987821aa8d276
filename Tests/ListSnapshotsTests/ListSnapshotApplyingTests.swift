import AsyncViewModels
import AsyncViewModelsTesting
import ListSnapshots
import Testing
import ToolkitTestSupport

/// If a difference does not fit a snapshot, applying it throws an error that names the mismatch.
@Suite("ListSnapshot: applying a difference that does not fit", .timeLimit(.minutes(5)), .endsWaits)
struct ListSnapshotApplyingTests {
  private typealias Failure = ListSnapshotDifferenceError<String, Int>
  private typealias Difference = ListSnapshotDifference<String, Int, String>

  private let old: TestSnapshot
  private let firstPath = ListSnapshotPath(section: 0, item: 0)

  init() throws { old = try TestSnapshot([("a", [1, 2]), ("b", [3])]) }

  @Test("a difference between other snapshots is rejected")
  func otherSnapshots() throws {
    let other = try TestSnapshot([("a", [2, 1]), ("b", [3])])
    #expect(throws: Failure.itemNotFound(1, at: firstPath)) {
      try other.applying(try TestSnapshot([("a", [2]), ("b", [3])]).difference(from: old))
    }
    #expect(throws: Failure.sectionNotFound("b", at: 1)) {
      try TestSnapshot([("b", [3])]).applying(try TestSnapshot([("a", [1, 2])]).difference(from: old))
    }
  }

  @Test("a missing item cannot be removed, and no item can be removed twice")
  func removing() throws {
    expectRejection(.itemNotFound(2, at: firstPath)) { $0.deletedItems = [.init(id: 2, path: firstPath)] }
    let missing = ListSnapshotPath(section: 1, item: 1)
    expectRejection(.itemNotFound(3, at: missing)) { $0.deletedItems = [.init(id: 3, path: missing)] }
    let negative = ListSnapshotPath(section: -1, item: 0)
    expectRejection(.itemNotFound(3, at: negative)) { $0.deletedItems = [.init(id: 3, path: negative)] }
    let beforeFirst = ListSnapshotPath(section: 1, item: -1)
    expectRejection(.itemNotFound(2, at: beforeFirst)) {
      $0.deletedItems = [.init(id: 2, path: beforeFirst)]
    }
    expectRejection(.itemTaken(1, at: firstPath)) {
      $0.deletedItems = [.init(id: 1, path: firstPath)]
      $0.movedItems = [.init(id: 1, from: firstPath, to: firstPath)]
    }
    expectRejection(.itemTaken(1, at: firstPath)) {
      $0.deletedSections = [.init(id: "a", index: 0)]
      $0.deletedItems = [.init(id: 1, path: firstPath)]
    }
  }

  @Test("an inserted or moved item needs a valid, free index in a section that existed before")
  func arriving() throws {
    let item = TestSnapshot.Item(id: 9, content: "")
    let tooFar = ListSnapshotPath(section: 0, item: 3)
    expectRejection(.itemNotPlaced(9, at: tooFar)) { $0.insertedItems = [.init(item: item, path: tooFar)] }
    let missing = ListSnapshotPath(section: 2, item: 0)
    expectRejection(.itemNotPlaced(9, at: missing)) { $0.insertedItems = [.init(item: item, path: missing)] }
    expectRejection(.itemNotPlaced(9, at: firstPath)) {
      $0.movedItems = [.init(id: 2, from: ListSnapshotPath(section: 0, item: 1), to: firstPath)]
      $0.insertedItems = [.init(item: item, path: firstPath)]
    }
    expectRejection(.itemNotPlaced(9, at: firstPath)) {
      $0.insertedSections = [.init(section: .init(id: "c"), index: 0)]
      $0.insertedItems = [.init(item: item, path: firstPath)]
    }
  }

  @Test("a missing section cannot be removed, no section can be removed twice, and no two share an index")
  func sections() throws {
    expectRejection(.sectionNotFound("b", at: 0)) { $0.deletedSections = [.init(id: "b", index: 0)] }
    expectRejection(.sectionNotFound("c", at: 2)) { $0.movedSections = [.init(id: "c", from: 2, to: 0)] }
    expectRejection(.sectionTaken("a", at: 0)) {
      $0.deletedSections = [.init(id: "a", index: 0), .init(id: "a", index: 0)]
    }
    expectRejection(.sectionNotPlaced("a", at: 2)) { $0.movedSections = [.init(id: "a", from: 0, to: 2)] }
    expectRejection(.sectionNotPlaced("d", at: 1)) {
      $0.insertedSections = [
        .init(section: .init(id: "c"), index: 1), .init(section: .init(id: "d"), index: 1),
      ]
    }
  }

  @Test("a reconfiguration with a wrong old or new path is rejected")
  func reconfiguring() throws {
    let item = TestSnapshot.Item(id: 1, content: "red")
    let other = ListSnapshotPath(section: 0, item: 1)
    expectRejection(.itemNotFound(1, at: other)) {
      $0.reconfiguredItems = [.init(item: item, from: other, to: firstPath)]
    }
    expectRejection(.itemNotFound(1, at: other)) {
      $0.reconfiguredItems = [.init(item: item, from: firstPath, to: other)]
    }
    expectRejection(.itemNotFound(1, at: ListSnapshotPath(section: 7, item: 0))) {
      $0.reconfiguredItems = [.init(item: item, from: firstPath, to: ListSnapshotPath(section: 7, item: 0))]
    }
  }

  @Test("a difference that leads to a duplicate is rejected")
  func duplicates() throws {
    let end = ListSnapshotPath(section: 1, item: 1)
    expectRejection(.duplicate(.duplicateItem(1, at: firstPath, and: end))) {
      $0.insertedItems = [.init(item: .init(id: 1, content: ""), path: end)]
    }
    expectRejection(.duplicate(.duplicateSection("a", at: 0, and: 2))) {
      $0.insertedSections = [.init(section: .init(id: "a"), index: 2)]
    }
  }

  private func expectRejection(
    _ failure: Failure, _ change: (inout Difference) -> Void, location: SourceLocation = #_sourceLocation
  ) {
    var difference = Difference()
    change(&difference)
    #expect(throws: failure, sourceLocation: location) { try old.applying(difference) }
  }
}
