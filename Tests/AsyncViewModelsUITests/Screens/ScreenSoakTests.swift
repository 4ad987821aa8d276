import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing
import ToolkitTestSupport

@MainActor
@Suite("Screens: soak", .timeLimit(.minutes(5)), .endsWaits)
struct ScreenSoakTests {
  @Test("250 rounds of pushes and pops with 50 screens leave no screen, view model, task or observer alive")
  func backAndForth() async throws {
    let counter = Counter()
    let screenCount = LiveCount()
    @MainActor func use(_ liveObjects: LiveObjects) async throws {
      let stack = NavigationScreenContainer(root: CountedScreen(counter, screenCount))
      let host = ScreenHost(stack)
      try host.show()
      let atTheStart = liveObjects.count
      for round in 0..<250 {
        for _ in 0..<49 { try stack.push(CountedScreen(counter, screenCount)) }
        #expect(liveObjects.count[.viewModel, "CountedModel"] >= (LiveObjects.areCounted ? 50 : 0))
        if round.isMultiple(of: 3) {
          try stack.popToRoot()
        } else {
          for _ in 0..<49 { try stack.pop() }
        }
        #expect(screenCount.live == 1)
        counter.state.update { $0 += 1 }
        await Task.yield()
      }
      #expect(screenCount.created == 12_251)
      #expect(atTheStart.isEmpty != LiveObjects.areCounted)
      if LiveObjects.areCounted { try await liveObjects.assertNothingAdded(since: atTheStart) }
    }
    try await LiveObjects.scoped { liveObjects in
      try await use(liveObjects)
      if LiveObjects.areCounted { try await liveObjects.assertNothingLives() }
    }
    #expect(screenCount.live == 0)
    try await until { counter.state.observerCount == 0 }
  }

  @Test(
    "a random walk over a stack keeps all hooks in order and shows one screen",
    arguments: 0..<10)
  func randomWalk(seed: UInt64) async throws {
    try await withScreens { screens in
      var numbers = SplitMix64(seed: seed)
      let stack = screens.track(NavigationScreenContainer(root: CheckedScreen()))
      let host = ScreenHost(stack)
      var kept: [ScreenHost] = []
      var successes: [Int: Int] = [:]
      for _ in 0..<400 {
        let action = Int.random(in: 0..<6, using: &numbers)
        do throws(ScreenHostError) {
          switch action {
          case 0: try host.show()
          case 1: try host.hide()
          case 2: try stack.push(kept.popLast() ?? ScreenHost(CheckedScreen()))
          case 3: try stack.push(CheckedScreen())
          case 4: kept.append(try stack.pop())
          default: try stack.popToRoot()
          }
          successes[action, default: 0] += 1
        } catch {
          // The action was rejected. The checks below show whether the state is still consistent.
        }
        let shown = stack.screens.filter { $0.phase.isOnDisplay }
        try #require(shown.count == (host.phase.isOnDisplay ? 1 : 0))
        try #require(stack.top.phase == host.phase || !host.phase.isOnDisplay)
        for screen in stack.screens {
          try #require((screen.screen as? CheckedScreen)?.violations == 0)
        }
      }
      #expect(successes.count == 6, "each action succeeds at least once")
    }
  }
}

extension ScreenSoakTests {
  @Test("a random walk over nested containers never shows a child without its parent", arguments: 0..<10)
  func randomTree(seed: UInt64) async throws {
    try await withScreens { screens in
      var numbers = SplitMix64(seed: seed)
      let stacks = (0..<2).map { _ in screens.track(NavigationScreenContainer(root: CheckedScreen())) }
      let states = StateScreenContainer { _ in checked() }
      let inner = try TabScreenContainer([ScreenHost(stacks[1]), ScreenHost(states)])
      let tabs = screens.track(try TabScreenContainer([ScreenHost(stacks[0]), ScreenHost(inner), checked()]))
      let root = screens.track(ScreenHost(tabs))
      var successes: Set<Int> = []
      for _ in 0..<500 {
        let stack = stacks[Int.random(in: 0..<2, using: &numbers)]
        let action = Int.random(in: 0..<9, using: &numbers)
        do throws(ScreenHostError) {
          switch action {
          case 0: try root.drive(to: .appearing)
          case 1: try root.drive(to: .visible)
          case 2: try root.drive(to: .disappearing)
          case 3: try root.drive(to: .hidden)
          case 4: try tabs.select(Int.random(in: 0..<3, using: &numbers))
          case 5: try stack.push(CheckedScreen())
          case 6: try stack.pop()
          case 7: states.show(StateScreenContainer.Slot.allCases.randomElement(using: &numbers) ?? .idle)
          default: try inner.select(Int.random(in: 0..<2, using: &numbers))
          }
          successes.insert(action)
        } catch {
          // The action was rejected. The check below shows whether the state is still consistent.
        }
        try check(root)
      }
      #expect(successes.count == 9, "each action succeeds at least once")
    }
  }

  private func checked() -> ScreenHost { ScreenHost(CheckedScreen()) }

  private func check(_ host: ScreenHost) throws {
    for child in host.children {
      try #require(child.containment == .contained)
      let isAsItsParent = child.phase == host.phase
      try #require(isAsItsParent || !child.phase.isOnDisplay)
      try #require(((child.screen as? CheckedScreen)?.violations ?? 0) == 0)
      try check(child)
    }
  }
}

/// Counts the instances of a class that were created, and those that are still alive.
@MainActor
final class LiveCount {
  private(set) var created = 0
  private(set) var released = 0
  var live: Int { created - released }
  func countCreation() { created += 1 }
  func countRelease() { released += 1 }
}

/// A view model that ``LiveObjects`` counts.
private final class CountedModel: Sendable {
  let state = StateStore(0)
  private let liveObject = LiveObjectToken(.viewModel, "CountedModel")
}

@MainActor
private final class CountedScreen: HostedScreen {
  private let counter: Counter
  private let screenCount: LiveCount
  private let model = CountedModel()

  init(_ counter: Counter, _ screenCount: LiveCount) {
    self.counter = counter
    self.screenCount = screenCount
    screenCount.countCreation()
  }

  func didLoad(in host: ScreenHost) {
    host.bindings.observe(counter.state.states(), on: self) { _, _ in }
    host.bindings.run { [model, values = model.state.states()] in
      for await _ in values { _ = model.state.value }
    }
    host.bindings.observe(host.traitChanges(), on: self) { _, _ in }
    host.bindings.observe(host.keyboardChanges(), on: self) { _, _ in }
  }

  deinit { MainActor.assumeIsolated { [screenCount] in screenCount.countRelease() } }
}

/// A screen that counts the hooks that its host calls out of order.
@MainActor
private final class CheckedScreen: HostedScreen {
  private(set) var violations = 0
  private var checker = HookChecker()

  func didLoad(in host: ScreenHost) { check(.didLoad) }
  func willAppear(animated: Bool) { check(.willAppear(animated: animated)) }
  func didAppear(animated: Bool) { check(.didAppear(animated: animated)) }
  func willDisappear(animated: Bool) { check(.willDisappear(animated: animated)) }
  func didDisappear(animated: Bool) { check(.didDisappear(animated: animated)) }

  private func check(_ hook: ScreenHook) {
    do { try checker.check(hook) } catch { violations += 1 }
  }
}
