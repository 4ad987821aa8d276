import AsyncViewModels
import Testing

/// A difference that does not fit is refused, with the name of what does not fit.
@Suite("Snapshot: applying what does not fit", .timeLimit(.minutes(1)))
struct ListSnapshotApplyingTests {
  private typealias Failure = ListSnapshotDifferenceError<String, Int>
  private typealias Difference = ListSnapshotDifference<String, Int, String>

  private let old: Shelves
  private let place = ListSnapshotPath(section: 0, item: 0)

  init() throws { old = try Shelves([("a", [1, 2]), ("b", [3])]) }

  @Test("a difference between other snapshots is refused")
  func otherSnapshots() throws {
    let other = try Shelves([("a", [2, 1]), ("b", [3])])
    #expect(throws: Failure.itemNotFound(1, at: place)) {
      try other.applying(try Shelves([("a", [2]), ("b", [3])]).difference(from: old))
    }
    #expect(throws: Failure.sectionNotFound("b", at: 1)) {
      try Shelves([("b", [3])]).applying(try Shelves([("a", [1, 2])]).difference(from: old))
    }
  }

  @Test("an item that is not there cannot leave, and none can leave twice")
  func leaving() throws {
    refuse(.itemNotFound(2, at: place)) { $0.deletedItems = [.init(id: 2, path: place)] }
    let nowhere = ListSnapshotPath(section: 1, item: 1)
    refuse(.itemNotFound(3, at: nowhere)) { $0.deletedItems = [.init(id: 3, path: nowhere)] }
    let beyond = ListSnapshotPath(section: -1, item: 0)
    refuse(.itemNotFound(3, at: beyond)) { $0.deletedItems = [.init(id: 3, path: beyond)] }
    refuse(.itemTaken(1, at: place)) {
      $0.deletedItems = [.init(id: 1, path: place)]
      $0.movedItems = [.init(id: 1, from: place, to: place)]
    }
    refuse(.itemTaken(1, at: place)) {
      $0.deletedSections = [.init(id: "a", index: 0)]
      $0.deletedItems = [.init(id: 1, path: place)]
    }
  }

  @Test("an item arrives at a place of its own, in a section that was there")
  func arriving() throws {
    let item = Shelves.Item(id: 9, content: "")
    let tooFar = ListSnapshotPath(section: 0, item: 3)
    refuse(.itemNotPlaced(9, at: tooFar)) { $0.insertedItems = [.init(item: item, path: tooFar)] }
    let nowhere = ListSnapshotPath(section: 2, item: 0)
    refuse(.itemNotPlaced(9, at: nowhere)) { $0.insertedItems = [.init(item: item, path: nowhere)] }
    refuse(.itemNotPlaced(9, at: place)) {
      $0.movedItems = [.init(id: 2, from: ListSnapshotPath(section: 0, item: 1), to: place)]
      $0.insertedItems = [.init(item: item, path: place)]
    }
    refuse(.itemNotPlaced(9, at: place)) {
      $0.insertedSections = [.init(section: .init(id: "c"), index: 0)]
      $0.insertedItems = [.init(item: item, path: place)]
    }
  }

  @Test("a section that is not there cannot leave, none can leave twice, and none takes another's place")
  func sections() throws {
    refuse(.sectionNotFound("b", at: 0)) { $0.deletedSections = [.init(id: "b", index: 0)] }
    refuse(.sectionNotFound("c", at: 2)) { $0.movedSections = [.init(id: "c", from: 2, to: 0)] }
    refuse(.sectionTaken("a", at: 0)) {
      $0.deletedSections = [.init(id: "a", index: 0), .init(id: "a", index: 0)]
    }
    refuse(.sectionNotPlaced("a", at: 2)) { $0.movedSections = [.init(id: "a", from: 0, to: 2)] }
    refuse(.sectionNotPlaced("d", at: 1)) {
      $0.insertedSections = [
        .init(section: .init(id: "c"), index: 1), .init(section: .init(id: "d"), index: 1),
      ]
    }
  }

  @Test("an item is reconfigured where it was and where it is")
  func reconfiguring() throws {
    let item = Shelves.Item(id: 1, content: "red")
    let other = ListSnapshotPath(section: 0, item: 1)
    refuse(.itemNotFound(1, at: other)) {
      $0.reconfiguredItems = [.init(item: item, from: other, to: place)]
    }
    refuse(.itemNotFound(1, at: other)) {
      $0.reconfiguredItems = [.init(item: item, from: place, to: other)]
    }
    refuse(.itemNotFound(1, at: ListSnapshotPath(section: 7, item: 0))) {
      $0.reconfiguredItems = [.init(item: item, from: place, to: ListSnapshotPath(section: 7, item: 0))]
    }
  }

  @Test("what would be there twice is refused")
  func duplicates() throws {
    let end = ListSnapshotPath(section: 1, item: 1)
    refuse(.duplicate(.duplicateItem(1, at: place, and: end))) {
      $0.insertedItems = [.init(item: .init(id: 1, content: ""), path: end)]
    }
    refuse(.duplicate(.duplicateSection("a", at: 0, and: 2))) {
      $0.insertedSections = [.init(section: .init(id: "a"), index: 2)]
    }
  }

  private func refuse(
    _ failure: Failure, _ change: (inout Difference) -> Void, location: SourceLocation = #_sourceLocation
  ) {
    var difference = Difference()
    change(&difference)
    #expect(throws: failure, sourceLocation: location) { try old.applying(difference) }
  }
}
