import AsyncViewModels

extension StressProgram {
  static var transitions: [StressProgram] {
    [
      StressProgram(
        name: "screen-transitions",
        summary: "a size transition finishes, or ends with its host",
        run: resizes)
    ]
  }

  private static func resizes(load: Load) async throws {
    let workload = ScreenWorkload()
    try await workload.run(load, rounds: 600) { round in
      let log = HookLog()
      let root = ScreenHost(RecordingScreen("r", log, workload))
      let wide = ViewportSize(width: 9, height: 3)
      try expectError(.offDisplay(.unloaded)) { () throws(ScreenHostError) in try root.transition(to: wide) }
      try root.show()
      try root.transition(to: ViewportSize(width: 3, height: 9), animated: false)
      try log.expect(
        "r loaded, r appearing, r visible, r resizing 3.0, r alongside 3.0, r laid out 3.0, r resized")
      try await leaveUnfinished(root, wide, log, round)
    }
  }

  /// Ends the host during a transition. Checks that this cancels the transition.
  @MainActor
  private static func leaveUnfinished(
    _ root: ScreenHost, _ size: ViewportSize, _ log: HookLog, _ round: Int
  ) async throws {
    var kept: ScreenTransitionCoordinator?
    let child = ScreenHost(
      CoordinatedScreen { [weak root] coordinator in
        kept = coordinator
        coordinator.animate { _ in
          try? root?.hide()
          try? root?.end()
        }
      })
    try root.embed(child)
    try child.embed(EmptyScreen())
    root.sendMemoryWarning()
    try expectError(.transitionEnded) { () throws(ScreenHostError) in
      try root.transition(to: size, animated: round % 2 == 0)
    }
    let coordinator = kept!
    try expect(
      coordinator.isAnimated == (round % 2 == 0) && coordinator.size == size,
      "the coordinator has the wrong values")
    try expect(
      coordinator.isCancelled && !coordinator.animate { _ in }, "the transition has not ended")
    releaseElsewhere(coordinator)
  }
}

/// A screen that passes the coordinator of each transition to a closure.
@MainActor
private final class CoordinatedScreen: HostedScreen {
  private let onTransition: (ScreenTransitionCoordinator) -> Void

  init(_ onTransition: @escaping (ScreenTransitionCoordinator) -> Void) { self.onTransition = onTransition }

  func willTransition(to size: ViewportSize, with coordinator: ScreenTransitionCoordinator) {
    onTransition(coordinator)
  }
}
