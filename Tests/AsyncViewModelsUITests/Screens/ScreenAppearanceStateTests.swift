import AsyncViewModelsTesting
import AsyncViewModelsUI
import Testing

@Suite("ScreenAppearanceState", .timeLimit(.minutes(5)), .endsWaits)
struct ScreenAppearanceStateTests {
  /// The legal steps, repeated here to detect a mistake in the state machine's own table.
  static let legal: [ScreenPhase: [ScreenPhase]] = [
    .unloaded: [.loaded, .ended],
    .loaded: [.appearing, .ended],
    .appearing: [.visible, .disappearing],
    .visible: [.disappearing],
    .disappearing: [.hidden, .appearing],
    .hidden: [.appearing, .ended],
    .ended: [],
  ]

  /// Steps that lead to each phase.
  static let stepsIntoPhase: [ScreenPhase: [ScreenPhase]] = [
    .unloaded: [],
    .loaded: [.loaded],
    .appearing: [.loaded, .appearing],
    .visible: [.loaded, .appearing, .visible],
    .disappearing: [.loaded, .appearing, .visible, .disappearing],
    .hidden: [.loaded, .appearing, .visible, .disappearing, .hidden],
    .ended: [.ended],
  ]

  @Test(
    "an illegal step throws an error that contains both phases, and changes nothing",
    arguments: ScreenPhase.allCases)
  func illegalSteps(from phase: ScreenPhase) throws {
    var machine = ScreenAppearanceState()
    for step in try #require(Self.stepsIntoPhase[phase]) { _ = try machine.step(to: step) }
    let before = machine
    for next in ScreenPhase.allCases {
      if try #require(Self.legal[phase]).contains(next) {
        var moved = machine
        _ = try moved.step(to: next)
        #expect(moved.phase == next)
      } else {
        #expect(throws: ScreenHostError.illegalTransition(from: phase, to: next)) {
          try machine.step(to: next)
        }
        #expect(machine == before)
      }
    }
  }

  @Test("each step calls its own hooks, and the end of an appearance is animated like its beginning")
  func hooks() throws {
    var machine = ScreenAppearanceState()
    #expect(try machine.step(to: .loaded, animated: true) == [.didLoad])
    #expect(try machine.step(to: .appearing, animated: true) == [.willAppear(animated: true)])
    #expect(try machine.step(to: .visible) == [.didAppear(animated: true)])
    #expect(try machine.step(to: .disappearing) == [.willDisappear(animated: false)])
    #expect(try machine.step(to: .hidden, animated: true) == [.didDisappear(animated: false)])
    #expect(try machine.step(to: .ended) == [])
  }

  @Test("a new size is laid out once: immediately if on display, otherwise after the next willAppear")
  func layout() throws {
    var machine = ScreenAppearanceState()
    let (small, large) = (ViewportSize(width: 1, height: 2), ViewportSize(width: 3, height: 4))
    #expect(machine.resize(to: small) == [])
    _ = try machine.step(to: .loaded)
    #expect(
      try machine.step(to: .appearing) == [
        .willAppear(animated: false), .willLayout(small), .didLayout(small),
      ])
    #expect(machine.resize(to: small) == [])
    #expect(try machine.step(to: .visible) == [.didAppear(animated: false)])
    #expect(machine.resize(to: large) == [.willLayout(large), .didLayout(large)])
    for phase in [ScreenPhase.disappearing, .hidden] { _ = try machine.step(to: phase) }
    #expect(try machine.step(to: .appearing) == [.willAppear(animated: false)])
  }

  @Test("random steps, legal or not, never call hooks out of order", arguments: 0..<20)
  func randomSteps(seed: UInt64) throws {
    var numbers = SplitMix64(seed: seed)
    var machine = ScreenAppearanceState()
    var checker = HookChecker()
    for _ in 0..<500 {
      let before = machine
      let next = ScreenPhase.allCases.filter { $0 != .ended }.randomElement(using: &numbers) ?? .loaded
      do {
        for hook in try machine.step(to: next, animated: .random(using: &numbers)) { try checker.check(hook) }
      } catch let error as ScreenHostError {
        #expect(error == .illegalTransition(from: before.phase, to: next))
        #expect(machine == before)
      }
      let width = Double.random(in: 1...3, using: &numbers).rounded()
      for hook in machine.resize(to: ViewportSize(width: width, height: 1)) { try checker.check(hook) }
    }
    #expect(checker.loads == 1)
  }

  @Test(
    "`steps(to:)` returns legal steps that lead to the phase, or no steps", arguments: ScreenPhase.allCases)
  func stepsTo(target: ScreenPhase) throws {
    for phase in ScreenPhase.allCases {
      var machine = ScreenAppearanceState()
      for step in try #require(Self.stepsIntoPhase[phase]) { _ = try machine.step(to: step) }
      let steps = machine.steps(to: target)
      for step in steps { _ = try machine.step(to: step) }
      switch target {
      case .appearing where phase == .visible: #expect(steps == [])
      case .appearing, .visible: #expect(machine.phase == target || phase == .ended)
      case .disappearing, .hidden: #expect(machine.phase == target || !phase.isOnDisplay)
      case .loaded: #expect(machine.phase == (phase == .unloaded ? .loaded : phase))
      case .unloaded, .ended: #expect(steps == [])
      }
    }
  }
}

extension ScreenAppearanceState {
  /// Takes one step and then the layout that is due, as a host does.
  fileprivate mutating func step(
    to next: ScreenPhase, animated: Bool = false
  ) throws(ScreenHostError) -> [ScreenHook] {
    try move(to: next, animated: animated) + beginLayout() + endLayout()
  }

  fileprivate mutating func resize(to newSize: ViewportSize) -> [ScreenHook] {
    size = newSize
    return beginLayout() + endLayout()
  }
}
