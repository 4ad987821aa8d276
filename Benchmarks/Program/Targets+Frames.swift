import AsyncViewModelsBenchmarkHarness

/// Promises about the main thread of a screen whose state changes often, with frame-paced observation.
extension Targets {
  static var frames: [Target] {
    let work = "screen with 120 frames a second, 10,000 changes a second, async stage, frame-paced"
    func name(_ stage: FrameStage) -> String { FrameBenchmarks.name(of: stage, changes: 10_000) }
    return [
      Target(
        work,
        "≤ 1/15 of the closure stage's CPU time of the main thread, both beyond the loop without an observer",
        .atMost(1.0 / 15), .time(of: name(.paced), in: name(.closure), beyond: name(.noObserver))
      ).asHeadline("10,000 changes/s on main", beside: "callback on main"),
      Target(
        work, "≤ 1 render in each frame", .atMost(1),
        .worst(of: FrameBenchmarks.mostRenders, of: name(.paced))),
      Target(
        work, "≤ 1 ms a second more hitch time than one block on main in each frame", .atMost(1),
        .metric(FrameBenchmarks.hitchTime, unit: "ms", of: name(.paced), beyond: name(.floor))),
      Target(
        work, "tap to render, p99 ≤ 1.1 × one block on main in each frame", .atMost(1.1),
        .p99(of: FrameBenchmarks.latency, unit: "ms", of: name(.paced), in: name(.floor))),
      Target(
        "screen with 120 frames a second, async stage, frame-paced",
        "from 1,000 to 100,000 changes a second, the CPU time of the main thread grows ≤ 1.3 ×", .atMost(1.3),
        .time(of: paced(changes: 100_000), in: paced(changes: 1_000))),
    ]
  }

  private static func paced(changes: Int) -> String {
    "Frames / \(FrameBenchmarks.pacedTitle) / \(FrameBenchmarks.variant(changes: changes))"
  }
}
