import AsyncViewModels

extension StressProgram {
  static var containers: [StressProgram] {
    [
      StressProgram(
        name: "tab-container", summary: "a tab loads when it is selected, and exactly one tab is shown",
        run: tabs),
      StressProgram(
        name: "state-container",
        summary: "the latest state from another thread shows its screen, and no other screen is shown",
        run: states),
    ]
  }

  private static func tabs(load: Load) async throws {
    let workload = ScreenWorkload()
    try await workload.run(load, rounds: 600) { round in
      let log = HookLog()
      let hosts = ["a", "b", "c"].map { ScreenHost(RecordingScreen($0, log, workload)) }
      let tabs = try TabScreenContainer(hosts, selected: 2)
      try tabs.select(0)
      var host: ScreenHost? = ScreenHost(tabs)
      try host?.show(animated: true)
      log.clear()
      await Task.yield()
      try tabs.select(1)
      try log.expect("b loaded, b appearing, a disappearing, a hidden, b visible")
      try expect(tabs.selected === tabs.tabs[1] && tabs.selectedIndex == 1, "the wrong tab is selected")
      await Task.yield()
      for turn in 0..<4 { try tabs.select((round + turn) % 3, animated: true) }
      try expectEqual(hosts.filter { $0.phase.isOnDisplay }.count, 1, "tabs on display")
      try checkErrors(by: tabs, log, workload)
      if round % 2 == 0 { releaseElsewhere(host!) } else { try host?.hide() }
      host = nil
    }
  }

  @MainActor
  private static func checkErrors(
    by tabs: TabScreenContainer, _ log: HookLog, _ workload: ScreenWorkload
  ) throws {
    try expectError(.noSuchTab(3, count: 3)) { () throws(ScreenHostError) in try tabs.select(3) }
    try expectError(.duplicateScreen) { () throws(ScreenHostError) in
      _ = try TabScreenContainer([tabs.tabs[0], tabs.tabs[0]])
    }
    var thrownError: ScreenHostError?
    let screen = tabs.selected.screen as? RecordingScreen
    screen?.onHook = { [weak tabs, selected = tabs.selectedIndex] _ in
      do throws(ScreenHostError) { try tabs?.select(selected) } catch { thrownError = error }
    }
    try tabs.select((tabs.selectedIndex + 1) % 3)
    screen?.onHook = nil
    try expectEqual(thrownError, .transitionInProgress, "the error of a selection during another one")
  }

  private static func states(load: Load) async throws {
    let workload = ScreenWorkload()
    let state = ObservableState(ViewState<Int>.idle)
    try await workload.run(load, rounds: 600) { round in
      let log = HookLog()
      let hosts = StateScreenContainer.Slot.allCases.map {
        ScreenHost(RecordingScreen("\($0)", log, workload))
      }
      var rest = ArraySlice(hosts)
      let container = StateScreenContainer { _ in rest.removeFirst() }
      let host = ScreenHost(container)
      try host.show()
      try await showAll(of: container, log)
      host.bindings.observe(state.states(), on: container) { container, state in container.show(state) }
      let states: [ViewState<Int>] = [.loading, .failed(ScreenHostError.ended), .empty, .loaded(round)]
      await Task.detached { for next in states { state.send(next) } }.value
      await untilOnMain { container.slot == .loaded }
      try expectEqual(hosts.map(\.phase).filter(\.isOnDisplay), [.visible], "screens on display")
      try expect(container.screen(for: .loaded) === hosts[2], "the screen for loaded is wrong")
      releaseElsewhere(host)
    }
  }

  @MainActor
  private static func showAll(of container: StateScreenContainer, _ log: HookLog) async throws {
    log.clear()
    container.show(.loading)
    try log.expect("idle disappearing, idle hidden, loading loaded, loading appearing, loading visible")
    let screen = container.screen(for: .loading).screen as? RecordingScreen
    screen?.onHook = { [weak container] hook in if hook == "disappearing" { container?.show(.empty) } }
    await Task.yield()
    container.show(ViewState<Int>.failed(ScreenHostError.ended))
    try expectEqual(container.slot, .empty, "the state that arrived during a swap")
    screen?.onHook = nil
    container.show(StateScreenContainer.Slot(ViewState<Int>.idle))
  }
}
