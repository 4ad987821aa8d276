import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

@MainActor
@Suite("ScreenBindings", .timeLimit(.minutes(5)), .endsWaits)
struct ScreenBindingsTests {
  @Test("a screen binds when it loads, and receives the current value first and then later ones")
  func bindOnLoad() async throws {
    try await withScreens { screens in
      let counter = Counter()
      let screen = screens.track(CounterScreen(counter))
      let host = ScreenHost(screen)
      #expect(counter.state.observerCount == 0)
      try host.loadIfNeeded()
      #expect(counter.state.observerCount == 1 && host.bindings.count == 1)
      counter.state.send(1)
      try await until { screen.shown.last == 1 }
      try host.show()
      try host.hide()
      counter.state.send(2)
      try await until { screen.shown.last == 2 }
      #expect(
        counter.state.observerCount == 1, "a hidden screen stays bound and binds nothing when shown again"
      )
    }
  }

  @Test("when a screen ends, its bindings end, and the screen receives no later value")
  func endOfObservers() async throws {
    try await withScreens { screens in
      let counter = Counter()
      let screen = screens.track(CounterScreen(counter))
      let host = ScreenHost(screen)
      try host.loadIfNeeded()
      try await until { screen.shown == [0] }
      counter.state.send(1)
      try host.end()
      counter.state.send(2)
      try await until { counter.state.observerCount == 0 }
      #expect(screen.shown == [0] && host.bindings.count == 0)
    }
  }

  @Test(
    "bindings end in the order in which they were added: first the parent's, then the last child's, then the first child's"
  )
  func orderOfEnd() async throws {
    try await withScreens { screens in
      let parent = screens.host("P", bind: screens.bindTwo("P"))
      for name in ["1", "2"] {
        try screens.host(name, bind: screens.bindTwo(name)).bring(to: .contained, in: parent)
      }
      let grandchild = screens.host("1.1", bind: screens.bindTwo("1.1"))
      try parent.children[0].embed(grandchild)
      try parent.loadIfNeeded()
      _ = screens.log.take()
      try parent.end()
      #expect(
        screens.log.take() == [
          "P first", "P second", "2 first", "2 second", "1 first", "1 second", "1.1 first", "1.1 second",
        ])
      #expect(grandchild.phase == .ended && grandchild.parent == nil)
    }
  }

  @Test("the bindings of a released host also end in the order in which they were added")
  func orderOfRelease() async throws {
    try await withScreens { screens in
      @MainActor func use() throws {
        let parent = screens.host("P", bind: screens.bindTwo("P"))
        try parent.embed(screens.host("C", bind: screens.bindTwo("C")))
        try parent.show()
        _ = screens.log.take()
      }
      try use()
      #expect(screens.log.take() == ["P first", "P second", "C first", "C second"])
    }
  }

  @Test(
    "a released host ends its children, the last added first, even if a container also holds them",
    arguments: ["host", "stack", "tabs", "states"])
  func orderOfReleasedChildren(container: String) async throws {
    try await withScreens { screens in
      let names = ["1", "2", "3", "4", "5"]
      @MainActor func makeParent() throws -> ScreenHost {
        let children = names.map { screens.host($0, bind: screens.bindTwo($0)) }
        let parent: ScreenHost
        switch container {
        case "host":
          parent = screens.host("P")
          for child in children { try child.bring(to: .contained, in: parent) }
        case "stack":
          let stack = NavigationScreenContainer(root: children[0])
          parent = ScreenHost(stack)
          try parent.loadIfNeeded()
          for child in children.dropFirst() { try stack.push(child) }
        case "tabs":
          let tabs = try TabScreenContainer(children)
          parent = ScreenHost(tabs)
          try parent.loadIfNeeded()
          for index in names.indices { try tabs.select(index) }
        default:
          var rest = ArraySlice(children)
          let states = StateScreenContainer { _ in rest.removeFirst() }
          parent = ScreenHost(states)
          try parent.loadIfNeeded()
          for slot in StateScreenContainer.Slot.allCases { states.show(slot) }
        }
        return parent
      }
      @MainActor func use() throws {
        let parent = try makeParent()
        try parent.show()
        #expect(parent.children.map(\.recording.name) == names)
        _ = screens.log.take()
      }
      try use()
      #expect(screens.log.take() == names.reversed().flatMap { ["\($0) first", "\($0) second"] })
    }
  }

  @Test("a child that a cancelled binding moves to another parent does not end with its former parent")
  func movedDuringTheEnd() async throws {
    try await withScreens { screens in
      let (parent, other, first) = (screens.host("P"), screens.host("O"), screens.host("1"))
      let second = screens.host("2") { [weak parent, weak other, weak first] host in
        host.bindings.insert(
          CancellationToken {
            MainActor.assumeIsolated {
              if let parent, let other { try? first?.move(from: parent, to: other) }
            }
          })
      }
      for child in [first, second] { try child.bring(to: .contained, in: parent) }
      try parent.loadIfNeeded()
      try parent.end()
      #expect(first.phase == .loaded && first.parent === other)
      #expect(second.phase == .ended && second.parent == nil)
    }
  }

  @Test("a reference to the bindings of a host does not keep them active")
  func keptBindings() async throws {
    try await withScreens { screens in
      @MainActor func use() throws -> ScreenBindings {
        let host = screens.host("A", bind: screens.bindTwo("A"))
        try host.loadIfNeeded()
        return host.bindings
      }
      let bindings = try use()
      #expect(bindings.count == 0)
      #expect(screens.log.take() == ["A.didLoad", "A first", "A second"])
    }
  }

  @Test("a binding that is added after the screen has ended is cancelled at once")
  func bindAfterEnd() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      try host.end()
      let log = screens.log
      let token = host.bindings.insert(
        CancellationToken { MainActor.assumeIsolated { log.append("cancelled") } })
      #expect(log.take() == ["cancelled"] && token.isCancelled)
      let task = host.bindings.run { log.append(Task.isCancelled ? "cancelled" : "runs") }
      await task.value
      #expect(log.take() == ["cancelled"])
      #expect(host.bindings.count == 0)
    }
  }

  @Test("a task that ends early, or a token that is cancelled early, is removed from the bindings")
  func removal() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      let gate = Gate()
      let task = host.bindings.run { await gate.wait() }
      let token = host.bindings.insert(CancellationToken {})
      #expect(host.bindings.count == 2)
      token.cancel()
      #expect(host.bindings.count == 1)
      gate.open()
      await task.value
      #expect(host.bindings.count == 0)
    }
  }

  @Test("an ended binding is released after further bindings were added")
  func releasesEnded() {
    let bindings = ScreenBindings()
    func bindEnded() -> () -> CancellationToken? {
      let token = CancellationToken {}
      bindings.insert(token)
      token.finish()
      return { [weak token] in token }
    }
    let ended = bindEnded()
    for _ in 1...100 { bindings.insert(CancellationToken {}) }
    #expect(ended() == nil)
    #expect(bindings.count == 100)
  }

  @Test("bindings whose work has ended are dropped")
  func ended() async throws {
    let bindings = ScreenBindings()
    let counter = Counter()
    for number in 0..<1_000 {
      let model = StateModel(number)
      bindings.observe(model, on: counter) { _, _ in }
      bindings.observe(model.states(), on: counter) { _, _ in }
      bindings.insert(.finished)
    }
    try await until { bindings.count == 0 }
  }

  @Test("a screen that is released while its content loads is deallocated at once, and the load is cancelled")
  func releasedWhileLoading() async throws {
    let gate = Gate()
    let log = HookLog()
    try await withScreens { screens in
      @MainActor func use() async throws {
        let host = screens.host("A") { host in
          host.bindings.run {
            await gate.wait()
            log.append(Task.isCancelled ? "cancelled" : "loaded")
          }
        }
        try host.show()
        await gate.waitForArrivals(1)
      }
      try await use()
    }
    #expect(log.take() == [], "the screen is deallocated, but the service has not answered yet")
    gate.open()
    try await until { log.entries == ["cancelled"] }
  }

  @Test("bindings of many short-lived screens leave no observer", arguments: 0..<5)
  func shortLivedScreens(seed: UInt64) async throws {
    var numbers = SplitMix64(seed: seed)
    let counter = Counter()
    for _ in 0..<200 {
      let host = ScreenHost(CounterScreen(counter))
      try host.show()
      counter.state.update { $0 += 1 }
      if Bool.random(using: &numbers) { await Task.yield() }
    }
    try await until { counter.state.observerCount == 0 }
  }
}

extension ScreenSet {
  /// Returns a closure that binds two tokens. Each token logs its cancellation.
  func bindTwo(_ name: String) -> @MainActor (ScreenHost) -> Void {
    { [log] host in
      for number in ["first", "second"] {
        host.bindings.insert(
          CancellationToken { MainActor.assumeIsolated { log.append("\(name) \(number)") } })
      }
    }
  }
}
