import AsyncViewModelsUI

extension StressProgram {
  static var transitions: [StressProgram] {
    [
      StressProgram(
        name: "screen-transitions",
        summary: "a size transition finishes, is cancelled, or ends with its host",
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
      try await cancelAndFinish(root, wide, log)
      try await leaveUnfinished(root, wide, log, round)
    }
  }

  @MainActor
  private static func cancelAndFinish(_ root: ScreenHost, _ size: ViewportSize, _ log: HookLog) async throws {
    let transition = try root.beginTransition(to: size)
    try expectError(.transitionInProgress) { () throws(ScreenHostError) in try root.transition(to: size) }
    await Task.yield()
    try transition.cancel()
    try log.expect("r resizing 9.0, r alongside 9.0, r not resized")
    try expectError(.transitionEnded) { () throws(ScreenHostError) in try transition.finish() }
    try expectEqual(root.size, ViewportSize(width: 3, height: 9), "the size after a cancelled transition")
    // A transition that is released before its end is cancelled.
    releaseElsewhere(try root.beginTransition(to: size))
    try log.expect("r resizing 9.0, r alongside 9.0")
    await untilOnMain { !log.isEmpty }
    try log.expect("r not resized")
    try root.beginTransition(to: size).finish()
    try log.expect("r resizing 9.0, r alongside 9.0, r laid out 9.0, r resized")
  }

  /// Ends the host during a transition. Checks that this cancels the transition, and that a later use throws.
  @MainActor
  private static func leaveUnfinished(
    _ root: ScreenHost, _ size: ViewportSize, _ log: HookLog, _ round: Int
  ) async throws {
    var kept: ScreenTransitionCoordinator?
    let child = ScreenHost(CoordinatedScreen { kept = $0 })
    try root.embed(child)
    try child.embed(EmptyScreen())
    root.sendMemoryWarning()
    let transition = try root.beginTransition(to: size, animated: round % 2 == 0)
    let coordinator = kept!
    var runs = 0
    try expect(coordinator.animate { _ in runs += 1 } && runs == 1, "the animation did not run immediately")
    try expect(
      coordinator.isAnimated == (round % 2 == 0) && coordinator.size == size,
      "the coordinator has the wrong values")
    await Task.yield()
    try root.hide()
    try root.end()
    try expect(
      coordinator.isCancelled && !coordinator.animate { _ in runs += 1 }, "the transition has not ended")
    try expectError(.transitionEnded) { () throws(ScreenHostError) in try transition.cancel() }
    try expectEqual(runs, 1, "runs of the animations")
    releaseElsewhere(transition)
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
