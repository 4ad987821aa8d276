import AsyncViewModelsUI

extension StressProgram {
  static var screens: [StressProgram] {
    [
      StressProgram(
        name: "screen-life-cycle",
        summary: "screens call their hooks in order, reject illegal steps, and are released",
        run: lifeCycles)
    ]
  }

  private static func lifeCycles(load: Load) async throws {
    let workload = ScreenWorkload()
    try await workload.run(load, rounds: 2_000) { round in
      let log = HookLog()
      var host: ScreenHost? = ScreenHost(RecordingScreen("a", log, workload))
      try await takeSteps(host!, log, round)
      switch round % 3 {
      case 0: try checkEnd(of: host!, log)
      case 1: releaseElsewhere(host!)
      default: break
      }
      weak let released = host
      host = nil
      await untilOnMain { released == nil }
    }
  }

  @MainActor
  private static func takeSteps(_ host: ScreenHost, _ log: HookLog, _ round: Int) async throws {
    try expectEqual(host.phase, .unloaded, "the initial phase")
    try expectError(.illegalTransition(from: .unloaded, to: .visible)) { () throws(ScreenHostError) in
      try host.endAppearing()
    }
    if round % 2 == 0 { try host.load() } else { try host.loadIfNeeded() }
    try host.loadIfNeeded()
    // The screen has three bindings. The `deinit` of another screen may have cancelled one of them.
    try expect(
      (2...3).contains(host.bindings.count), "a loaded screen has \(host.bindings.count) bindings")
    await Task.yield()
    try host.beginAppearing(animated: true)
    try host.beginDisappearing()
    await Task.yield()
    try host.beginAppearing()
    try host.endAppearing()
    try expectEqual(host.phase, .visible, "the phase after show")
    try log.expect("a loaded, a appearing slowly, a disappearing, a appearing, a visible")
    await Task.yield()
    try host.beginDisappearing(animated: true)
    try host.endDisappearing()
    try host.show(animated: true)
    await Task.yield()
    try host.hide()
    try expectEqual(host.phase, .hidden, "the phase after hide")
    try log.expect(
      "a disappearing slowly, a hidden slowly, a appearing slowly, a visible slowly, a disappearing, a hidden"
    )
    try expectError(.illegalTransition(from: .hidden, to: .loaded)) { () throws(ScreenHostError) in
      try host.load()
    }
  }

  @MainActor
  private static func checkEnd(of host: ScreenHost, _ log: HookLog) throws {
    try host.end()
    try log.expect("")
    try expectEqual(host.bindings.count, 0, "bindings of an ended screen")
    try expectError(.illegalTransition(from: .ended, to: .appearing)) { () throws(ScreenHostError) in
      try host.show()
    }
    try expect((host.screen as? RecordingScreen)?.name == "a", "the host has the wrong screen")
  }
}
