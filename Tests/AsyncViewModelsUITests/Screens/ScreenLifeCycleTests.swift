import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

@MainActor
@Suite("Screen life cycle", .timeLimit(.minutes(5)), .endsWaits)
struct ScreenLifeCycleTests {
  @Test("showing and hiding a screen calls its hooks in order, and ending the screen calls no hook")
  func order() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      #expect(screens.log.take() == [])
      try host.resize(to: ViewportSize(width: 10, height: 20))
      try host.show(animated: true)
      #expect(
        screens.log.take() == [
          "A.didLoad", "A.willAppear animated", "A.willLayout 10x20", "A.didLayout 10x20",
          "A.didAppear animated",
        ])
      try host.hide()
      #expect(screens.log.take() == ["A.willDisappear", "A.didDisappear"])
      try host.end()
      #expect(screens.log.take() == [])
    }
  }

  @Test("a screen that is hidden and shown again is not loaded again")
  func loadOnce() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      for _ in 0..<3 {
        try host.show()
        try host.hide()
      }
      try host.loadIfNeeded()
      #expect(screens.log.take().count { $0 == "A.didLoad" } == 1)
      #expect(throws: ScreenHostError.illegalTransition(from: .hidden, to: .loaded)) {
        try host.drive(to: .loaded)
      }
    }
  }

  @Test("a cancelled appearance or disappearance calls the opposite hooks")
  func cancelled() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      try host.drive(to: .appearing)
      try host.drive(to: .disappearing)
      try host.drive(to: .hidden)
      #expect(screens.log.take() == ["A.didLoad", "A.willAppear", "A.willDisappear", "A.didDisappear"])
      try host.show()
      try host.drive(to: .disappearing, animated: true)
      try host.drive(to: .appearing, animated: true)
      try host.drive(to: .visible)
      #expect(
        screens.log.take() == [
          "A.willAppear", "A.didAppear", "A.willDisappear animated", "A.willAppear animated",
          "A.didAppear animated",
        ])
    }
  }

  @Test(
    "an illegal life-cycle step throws an error with the current and the requested phase and calls no hook",
    arguments: ScreenPhase.allCases)
  func illegalOrder(phase: ScreenPhase) async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      try host.bring(to: phase)
      let steps: [(ScreenPhase, @MainActor () throws(ScreenHostError) -> Void)] = [
        (.loaded, { () throws(ScreenHostError) in try host.drive(to: .loaded) }),
        (.appearing, { () throws(ScreenHostError) in try host.drive(to: .appearing) }),
        (.visible, { () throws(ScreenHostError) in try host.drive(to: .visible) }),
        (.disappearing, { () throws(ScreenHostError) in try host.drive(to: .disappearing) }),
        (.hidden, { () throws(ScreenHostError) in try host.drive(to: .hidden) }),
        (.ended, { () throws(ScreenHostError) in try host.end() }),
      ]
      _ = screens.log.take()
      let legal = try #require(ScreenAppearanceStateTests.legal[phase])
      for (next, step) in steps where !legal.contains(next) {
        // Showing a screen loads it first.
        if phase == .unloaded, next == .appearing { continue }
        #expect(throws: ScreenHostError.illegalTransition(from: phase, to: next)) { try step() }
        #expect(host.phase == phase)
      }
      #expect(screens.log.take() == [])
    }
  }

  @Test("a life-cycle call stops and throws if one of its hooks moves the host to another phase")
  func reentrancy() async throws {
    try await withScreens { screens in
      let (parent, child) = (screens.host("P"), screens.host("C"))
      try parent.embed(child)
      parent.recording.onHook = { [weak parent] hook in
        if hook == "willAppear" { try? parent?.hide() }
      }
      #expect(throws: ScreenHostError.illegalTransition(from: .hidden, to: .visible)) { try parent.show() }
      #expect(
        screens.log.take() == [
          "C.willMove", "C.didMove", "P.didLoad", "C.didLoad", "P.willAppear", "P.willDisappear",
          "P.didDisappear",
        ])
      #expect(child.phase == .loaded)
    }
  }

  @Test("a screen that sets another size in its willAppear is laid out only in that size")
  func resizeInWillAppear() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      host.recording.onHook = { [weak host] hook in
        if hook == "willAppear" { try? host?.resize(to: ViewportSize(width: 30, height: 40)) }
      }
      try host.resize(to: ViewportSize(width: 10, height: 20))
      try host.show()
      #expect(
        screens.log.take() == [
          "A.didLoad", "A.willAppear", "A.willLayout 30x40", "A.didLayout 30x40", "A.didAppear",
        ])
    }
  }

  @Test("a screen that sets another size in its willLayout is laid out only in that size")
  func resizeInWillLayout() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      host.recording.onHook = { [weak host] hook in
        if hook == "willLayout" { try? host?.resize(to: ViewportSize(width: 30, height: 40)) }
      }
      try host.show()
      try host.resize(to: ViewportSize(width: 10, height: 20))
      #expect(
        screens.log.take().suffix(3) == ["A.willLayout 10x20", "A.willLayout 30x40", "A.didLayout 30x40"])
    }
  }

  @Test("a screen that hides itself in its willLayout, or goes back to its size, is not laid out then")
  func endedLayout() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      let (small, large) = (ViewportSize(width: 10, height: 20), ViewportSize(width: 30, height: 40))
      try host.resize(to: small)
      try host.show()
      _ = screens.log.take()
      host.recording.onHook = { [weak host] hook in
        if hook == "willLayout", host?.size == large { try? host?.resize(to: small) }
      }
      try host.resize(to: large)
      #expect(screens.log.take() == ["A.willLayout 30x40"])
      host.recording.onHook = { [weak host] hook in if hook == "willLayout" { try? host?.hide() } }
      try host.resize(to: large)
      #expect(screens.log.take() == ["A.willLayout 30x40", "A.willDisappear", "A.didDisappear"])
      host.recording.onHook = nil
      try host.show()
      #expect(
        screens.log.take() == ["A.willAppear", "A.willLayout 30x40", "A.didLayout 30x40", "A.didAppear"])
    }
  }

  @Test("a screen that hides itself in its willAppear is laid out when it is shown again")
  func hideInWillAppear() async throws {
    try await withScreens { screens in
      let host = screens.host("A")
      host.recording.onHook = { [weak host] hook in if hook == "willAppear" { try? host?.hide() } }
      try host.resize(to: ViewportSize(width: 10, height: 20))
      #expect(throws: ScreenHostError.illegalTransition(from: .hidden, to: .visible)) { try host.show() }
      #expect(screens.log.take() == ["A.didLoad", "A.willAppear", "A.willDisappear", "A.didDisappear"])
      host.recording.onHook = nil
      try host.show()
      #expect(
        screens.log.take() == ["A.willAppear", "A.willLayout 10x20", "A.didLayout 10x20", "A.didAppear"])
    }
  }

  @Test("the deinit of a screen that is released when its parent ends can read the children of the parent")
  func childrenInDeinit() async throws {
    try await withScreens { screens in
      let parent = screens.host("P")
      for _ in 1...2 {
        let child = screens.track(ScreenHost(screens.track(CountingScreen(parent, screens.log))))
        try child.bring(to: .contained, in: parent)
      }
      _ = screens.log.take()
      try parent.end()
      #expect(screens.log.take() == ["0 children", "0 children"])
    }
  }

  @Test("an error describes its cause")
  func descriptions() {
    let error = ScreenHostError.illegalTransition(from: .hidden, to: .visible)
    #expect("\(error)" == "A screen cannot go from hidden to visible.")
    #expect("\(ScreenHostError.noSuchTab(3, count: 2))" == "There is no tab 3: the container has 2 tabs.")
  }

  #if os(macOS) || os(Linux)
    @Test(
      "a debug build stops the process if a screen gets a second host; the message names the screen's class",
      .enabled(if: LiveObjects.areCounted, "only a debug build records which screens have a host"))
    func twoHosts() async throws {
      let exit = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        await MainActor.run {
          let screen = RecordingScreen("A", in: HookLog())
          let hosts = [ScreenHost(screen), ScreenHost(screen)]
          withExtendedLifetime(hosts) {}
        }
      }
      let message = String(decoding: exit.standardErrorContent, as: UTF8.self)
      #expect(message.contains("RecordingScreen already has a host"))
    }
  #endif

  @Test("a screen whose host was deallocated can have another host")
  func nextHost() {
    let screen = RecordingScreen("A", in: HookLog())
    for _ in 1...2 { #expect(ScreenHost(screen).phase == .unloaded) }
  }
}

/// A screen that counts the children of its parent in its `deinit`.
@MainActor
private final class CountingScreen: HostedScreen {
  private weak var parent: ScreenHost?
  private let log: HookLog

  init(_ parent: ScreenHost, _ log: HookLog) {
    self.parent = parent
    self.log = log
  }

  deinit {
    MainActor.assumeIsolated { [parent, log] in
      if let parent { log.append("\(parent.children.count) children") }
    }
  }
}

extension ScreenHost {
  /// Brings a new host to a phase.
  func bring(to phase: ScreenPhase) throws(ScreenHostError) {
    switch phase {
    case .unloaded: break
    case .loaded: try loadIfNeeded()
    case .appearing: try drive(to: .appearing)
    case .visible: try show()
    case .disappearing:
      try show()
      try drive(to: .disappearing)
    case .hidden:
      try show()
      try hide()
    case .ended: try end()
    }
  }
}
