import AsyncViewModelsUI

extension StressProgram {
  static var environments: [StressProgram] {
    [
      StressProgram(
        name: "screen-environment",
        summary: "traits, keyboard changes, memory warnings and sizes reach the children of a root",
        run: environment)
    ]
  }

  private static func environment(load: Load) async throws {
    let workload = ScreenWorkload()
    try await workload.run(load, rounds: 600) { round in
      let log = HookLog()
      let root = ScreenHost(RecordingScreen("r", log, workload))
      let child = try root.embed(RecordingScreen("c", log, workload))
      try await passTraits(from: root, to: child, round)
      try root.show()
      log.clear()
      try await passKeyboard(from: root, to: child, height: round)
      try await resize(root, child, log)
      try root.hide()
      try root.end()
      try expectEqual(child.phase, .ended, "the phase of a child whose parent has ended")
      releaseElsewhere(root)
    }
  }

  @MainActor
  private static func passTraits(from root: ScreenHost, to child: ScreenHost, _ round: Int) async throws {
    let dark = ScreenTraits(horizontalSizeClass: .regular, verticalSizeClass: .compact, style: .dark)
    let seen = Task.detached { [stream = child.traitChanges()] in
      for await traits in stream where traits == dark { return true }
      return false
    }
    try expectEqual(child.traits, ScreenTraits(), "the initial traits")
    await Task.yield()
    try expectError(.drivenByParent) { () throws(ScreenHostError) in try child.setTraits(dark) }
    try root.setTraits(dark)
    try expectEqual(child.traits, dark, "the traits of a child")
    // In every fourth round, creates a stream of trait changes and drops it unread.
    if round % 4 == 0 { _ = root.traitChanges() }
    try expect(await seen.value, "a task on another thread did not receive the traits")
    try root.setTraits(ScreenTraits(style: .light))
  }

  @MainActor
  private static func passKeyboard(from root: ScreenHost, to child: ScreenHost, height: Int) async throws {
    let moments: [KeyboardChange.Moment] = [.willShow, .didShow, .willHide, .didHide]
    let changes = moments.map { KeyboardChange($0, height: Double(height), duration: .milliseconds(250)) }
    let seen = Task.detached { [stream = child.keyboardChanges()] in
      var seen: [KeyboardChange] = []
      for await change in stream {
        seen.append(change)
        if seen.count == changes.count { break }
      }
      return seen
    }
    for change in changes {
      root.send(change)
      await Task.yield()
    }
    try expectEqual(changes.map(\.moment), moments, "the moments of the changes")
    try expectEqual(await seen.value, changes, "the keyboard changes received on another thread")
  }

  @MainActor
  private static func resize(_ root: ScreenHost, _ child: ScreenHost, _ log: HookLog) async throws {
    try root.resize(to: ViewportSize(width: 8, height: 4))
    try log.expect("r laid out 8.0, c laid out 8.0")
    await Task.yield()
    try root.resize(to: ViewportSize(width: 8, height: 4))
    root.sendMemoryWarning()
    try log.expect("r warned, c warned")
    try expectEqual(child.size, ViewportSize(width: 8, height: 4), "the size of a child")
    let none = ViewportSize(width: -1, height: 4)
    try expectError(.invalidSize(none)) { () throws(ScreenHostError) in try root.resize(to: none) }
    try expectError(.drivenByParent) { () throws(ScreenHostError) in try child.resize(to: root.size!) }
  }
}
