import AsyncViewModels

extension StressProgram {
  static var stacks: [StressProgram] {
    [
      StressProgram(
        name: "navigation-container",
        summary: "stacks call hooks in the documented order and release popped screens",
        run: stacks),
      StressProgram(
        name: "navigation-container-hooks",
        summary: "a hook can push a screen; a hook that pops during a transition gets an error",
        run: hooks),
      StressProgram(
        name: "navigation-container-path",
        summary: "a stack follows a path that another thread changes, and pops change the path", run: paths),
    ]
  }

  private static func stacks(load: Load) async throws {
    let workload = ScreenWorkload()
    try await workload.run(load, rounds: 500) { round in
      let log = HookLog()
      let stack = NavigationScreenContainer(root: RecordingScreen("a", log, workload))
      var host: ScreenHost? = ScreenHost(stack)
      try host?.show()
      try log.expect("a joining, a loaded, a joined, a appearing, a visible")
      try await pushAndPop(stack, RecordingScreen("b", log, workload), log)
      try await popAll(stack, host!, log, workload, round)
      try checkErrors(by: stack)
      if round % 2 == 0 { releaseElsewhere(host!) }
      host = nil
    }
  }

  @MainActor
  private static func pushAndPop(
    _ stack: NavigationScreenContainer, _ screen: RecordingScreen, _ log: HookLog
  ) async throws {
    let host = try stack.push(screen)
    try log.expect("b joining, b loaded, a disappearing, b appearing, a hidden, b visible, b joined")
    try expect(stack.top === host && stack.screens.count == 2, "the pushed screen is not on top")
    await Task.yield()
    try expect(try stack.pop() === host, "the wrong screen was popped")
    try log.expect("b leaving, b disappearing, a appearing, b hidden, a visible, b left")
    await Task.yield()
    try expectEqual(host.phase, .hidden, "the phase of a popped screen that is kept alive")
    try stack.push(host, animated: true)
    try expect(try stack.popToRoot(animated: true).first === host, "the wrong screen was popped")
    log.clear()
    releaseElsewhere(host)
  }

  /// Pops screens that have no other owner, and waits for their release.
  @MainActor
  private static func popAll(
    _ stack: NavigationScreenContainer, _ host: ScreenHost, _ log: HookLog, _ workload: ScreenWorkload,
    _ round: Int
  ) async throws {
    for name in ["b", "c", "d"] {
      try stack.push(RecordingScreen(name, log, workload))
      await Task.yield()
    }
    if round % 3 != 0 { try host.hide() }
    weak let released = stack.top
    try expectEqual(try stack.popToRoot().count, 3, "the number of popped screens")
    await Task.yield()
    try expect(stack.screens.count == 1 && stack.top === stack.root, "the root is not on top")
    await untilOnMain { released == nil }
  }

  @MainActor
  private static func checkErrors(by stack: NavigationScreenContainer) throws {
    try expectError(.nothingToPop) { () throws(ScreenHostError) in try stack.pop() }
    try expectError(.duplicateScreen) { () throws(ScreenHostError) in try stack.push(stack.root) }
    try expectError(.unknownScreen) { () throws(ScreenHostError) in
      try stack.replaceScreens(above: ScreenHost(EmptyScreen()), with: [])
    }
  }

  private static func hooks(load: Load) async throws {
    let workload = ScreenWorkload()
    try await workload.run(load, rounds: 500) { _ in
      let log = HookLog()
      let stack = NavigationScreenContainer(root: ScreenHost(RecordingScreen("a", log, workload)))
      let host = ScreenHost(stack)
      try host.show()
      await Task.yield()
      try pushFromHooks(on: stack, log, workload)
      try expectEqual(stack.screens.count, 3, "the number of screens after pushes from hooks")
      await Task.yield()
      try host.hide()
      try host.end()
      try expect(
        stack.screens.allSatisfy { $0.phase == .ended }, "a screen of an ended stack has not ended")
    }
  }

  @MainActor
  private static func pushFromHooks(
    on stack: NavigationScreenContainer, _ log: HookLog, _ workload: ScreenWorkload
  ) throws {
    let screen = RecordingScreen("b", log, workload)
    var thrownError: ScreenHostError?
    screen.onHook = { [weak stack, weak log] hook in
      guard let stack, let log else { return }
      do throws(ScreenHostError) {
        switch hook {
        case "appearing": try stack.pop()
        case "visible": try stack.push(RecordingScreen("c", log, workload))
        default: break
        }
      } catch { thrownError = error }
    }
    try stack.push(screen)
    try expectEqual(thrownError, .transitionInProgress, "the error of a pop during a push")
    try expectEqual(screen.lastValue, 0, "values received without a suspension of the main actor")
  }

  private static func paths(load: Load) async throws {
    let workload = ScreenWorkload()
    try await workload.run(load, rounds: 500) { round in
      let log = HookLog()
      let path = NavigationModel<Int>(
        links: DeepLinkParser(scheme: "app", host: "shop") { _ throws(DeepLinkParserError) in [] })
      let stack = NavigationScreenContainer(root: RecordingScreen("root", log, workload))
      stack.follow(path, animated: round % 2 == 0) { route in RecordingScreen("\(route)", log, workload) }
      let host = ScreenHost(stack)
      try host.show()
      async let changes: Void = change(path)
      for _ in 0..<4 {
        _ = try? stack.pop()
        await Task.yield()
      }
      await changes
      await untilOnMain { routes(of: stack) == path.path.routes }
      let legacy = ScreenHost(RecordingScreen("legacy", log, workload))
      try stack.replaceScreens(above: stack.root, with: [legacy])
      try expect(path.path.isAtRoot, "the routes of removed screens are still in the path")
      if round % 2 == 0 { releaseElsewhere(host) }
    }
  }

  /// The routes of the screens above the root.
  @MainActor
  private static func routes(of stack: NavigationScreenContainer) -> [Int] {
    stack.screens.dropFirst().compactMap { ($0.screen as? RecordingScreen).flatMap { Int($0.name) } }
  }

  @concurrent
  private static func change(_ path: NavigationModel<Int>) async {
    for route in 0..<8 {
      path.push(route)
      if route % 3 == 2 { _ = try? path.pop() }
      if route % 2 == 0 { await Task.yield() }
    }
  }
}
