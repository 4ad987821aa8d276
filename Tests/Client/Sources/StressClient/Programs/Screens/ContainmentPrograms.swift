import AsyncViewModels

extension StressProgram {
  static var containments: [StressProgram] {
    [
      StressProgram(
        name: "screen-containment",
        summary: "children join and leave parents; a parent is released before its children, on any thread",
        run: joinAndLeave)
    ]
  }

  private static func joinAndLeave(load: Load) async throws {
    let workload = ScreenWorkload()
    try await workload.run(load, rounds: 800) { round in
      let log = HookLog()
      var parent: ScreenHost? = ScreenHost(RecordingScreen("p", log, workload))
      let child = ScreenHost(RecordingScreen("c", log, workload))
      try await joinAndLeave(child, parent!, log)
      try await replace(child, in: parent!, log, workload)
      weak let released = parent
      if round % 2 == 0 { releaseElsewhere(parent!) }
      parent = nil
      await untilOnMain { released == nil }
      try expect(
        child.parent == nil && child.containment == .detached, "a child still has its released parent")
      releaseElsewhere(child)
    }
  }

  /// Embeds a child, and replaces it.
  @MainActor
  private static func joinAndLeave(_ child: ScreenHost, _ parent: ScreenHost, _ log: HookLog) async throws {
    try parent.show()
    try parent.embed(child, animated: true)
    try log.expect(
      "p loaded, p appearing, p visible, c joining, c loaded, c appearing slowly, c visible slowly, c joined")
    await Task.yield()
    try expect(
      child.parent === parent && parent.children.first === child, "the parent or the children are wrong")
    try expectError(.drivenByParent) { () throws(ScreenHostError) in try child.show() }
    try expectError(.containsItself) { () throws(ScreenHostError) in try child.embed(parent) }
    try parent.embed(EmptyScreen())
    try expect(child.parent == nil && parent.children.count == 1, "a child has a parent after it has left")
    try log.expect("c leaving, c disappearing, c hidden, c left")
  }

  /// Embeds another child, and replaces it with `child`.
  @MainActor
  private static func replace(
    _ child: ScreenHost, in parent: ScreenHost, _ log: HookLog, _ workload: ScreenWorkload
  ) async throws {
    let other = try parent.embed(RecordingScreen("o", log, workload), animated: true)
    try log.expect("o joining, o loaded, o appearing slowly, o visible slowly, o joined")
    await Task.yield()
    try parent.embed(child)
    try expectEqual(other.containment, .detached, "the containment of the replaced child")
    try log.expect(
      "o leaving, o disappearing, o hidden, o left, c joining, c appearing, c visible, c joined")
    try other.show()
    try expectError(.onDisplay(.visible)) { () throws(ScreenHostError) in try parent.embed(other) }
    await Task.yield()
    try other.hide()
    try parent.hide()
    guard workload.state.value % 2 == 0 else { return }
    try parent.end()
    try expectError(.ended) { () throws(ScreenHostError) in try parent.embed(EmptyScreen()) }
    try expect(!child.phase.isOnDisplay, "a child is shown in a hidden parent")
  }
}
