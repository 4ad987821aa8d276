import AsyncViewModels
import AsyncViewModelsBenchmarkHarness

/// One state and a growing number of tasks that change it at once.
enum WriterBenchmarks {
  static let updateCurve = "updates from several writers, per update"
  static let update = "ObservableState.update"
  static let floor = "bare Mutex: lock, add, unlock"

  static var groups: [BenchmarkGroup] { [1, 4, 16, 64].map(updates) }

  private static func updates(writers: Int) -> BenchmarkGroup {
    BenchmarkGroup(
      section: "State", title: "updates from \(Quantity.count(writers, "writer"))", unit: "update",
      reference: floor,
      point: CurvePoint(
        updateCurve, "writers", writers,
        note: """
          From the second writer on, the lock's cache line moves between the cores, and the bare lock pays the same. More \
          writers than cores take turns.
          """),
      benchmarks: [
        .calls(update, from: writers, subject: { ObservableState(0) }) { $0.update { $0 &+= 1 } },
        .calls(floor, from: writers, subject: { LockedValue() }) { $0.add() },
      ])
  }
}
