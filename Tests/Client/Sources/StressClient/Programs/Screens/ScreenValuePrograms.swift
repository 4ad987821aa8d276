import AsyncViewModelsUI

extension StressProgram {
  static var screenValues: [StressProgram] {
    [
      StressProgram(
        name: "screen-values",
        summary: "the state machines of screens accept every legal step, and throw for the others",
        run: stateMachines)
    ]
  }

  private static func stateMachines(load: Load) async throws {
    try await load.inParallel { task in
      var random = SplitMix(task)
      for round in 0..<(30_000 / load.tasks) {
        try walk(&random)
        if round % 16 == 0 { await Task.yield() }
        try walkThroughContainment(&random)
        try checkSizes(Double(round))
        if round % 16 == 8 { await Task.yield() }
      }
    }
    try checkErrors()
  }

  /// Makes random steps: the state machine accepts the legal ones, throws for the others, and finds a path to
  /// a target.
  private static func walk(_ random: inout SplitMix) throws {
    var state = ScreenAppearanceState()
    _ = try state.resize(to: ViewportSize(width: 1, height: 1))
    for _ in 0..<12 {
      let before = state
      let next = ScreenPhase.allCases.randomElement(using: &random)!
      if before.phase.canMove(to: next) {
        try expectEqual(
          try state.move(to: next, animated: true).contains(hook(of: next)), next != .ended,
          "whether the hook is called")
      } else {
        let illegalTransition = ScreenHostError.illegalTransition(from: before.phase, to: next)
        try expectError(illegalTransition) { () throws(ScreenHostError) in _ = try state.move(to: next) }
        try expectEqual(state, before, "the state after a rejected step")
      }
      try expectEqual(
        state.phase.isLoaded, ![.unloaded, .ended].contains(state.phase), "isLoaded")
      try expect(
        !state.phase.isOnDisplay || state.phase.isLoaded, "a screen is on display without being loaded")
      let width = Double(Int.random(in: 1...2, using: &random))
      let hooks = try state.resize(to: ViewportSize(width: width, height: 1))
      try expect(hooks.isEmpty || state.phase.isOnDisplay, "a layout hook was called off display")
      try expectEqual(state.size?.width, width, "the last width")
    }
    try reach(ScreenPhase.allCases.randomElement(using: &random)!, from: state)
  }

  private static func hook(of phase: ScreenPhase) -> ScreenHook {
    switch phase {
    case .appearing: .willAppear(animated: true)
    case .visible: .didAppear(animated: true)
    case .disappearing: .willDisappear(animated: true)
    case .hidden: .didDisappear(animated: true)
    case .loaded, .unloaded, .ended: .didLoad
    }
  }

  private static func reach(_ target: ScreenPhase, from start: ScreenAppearanceState) throws {
    var state = start
    let steps = start.steps(to: target)
    for step in steps { _ = try state.move(to: step) }
    if let last = steps.last { try expectEqual(last, target, "the last step") }
    try expectEqual(state.phase, steps.last ?? start.phase, "the phase after the steps")
  }

  private static func walkThroughContainment(_ random: inout SplitMix) throws {
    var (phase, joined) = (ScreenContainmentPhase.detached, 0)
    for _ in 0..<12 {
      let next = ScreenContainmentPhase.allCases.randomElement(using: &random)!
      guard phase.canMove(to: next) else { continue }
      if next == .contained, phase == .added { joined += 1 }
      if phase == .removed { joined -= 1 }
      phase = next
    }
    let isIn = [.contained, .leaving, .removed].contains(phase)
    try expectEqual(joined, isIn ? 1 : 0, "joins without a leave")
  }

  private static func checkSizes(_ width: Double) throws {
    var size = ViewportSize(width: width, height: .infinity)
    try expect(!size.isValid && !ViewportSize(width: .nan, height: 1).isValid, "an invalid size is valid")
    var state = ScreenAppearanceState()
    try expectError(.invalidSize(size)) { () throws(ScreenHostError) in _ = try state.resize(to: size) }
    size.height = width
    try expect(size.isValid && size == ViewportSize(width: width, height: width), "a valid size is invalid")
    var change = KeyboardChange(.willShow)
    change.height = width
    change.duration = .seconds(1)
    try expectEqual(
      change, KeyboardChange(.willShow, height: width, duration: .seconds(1)), "the keyboard change")
    let frame = KeyboardChange.Frame(x: 0, y: 1, width: width, height: 8)
    try expectEqual(
      KeyboardChange(.didShow, frame: frame, in: size, curve: 7),
      KeyboardChange(.didShow, height: max(0, min(9, width) - 1), frame: frame, curve: 7),
      "the covered height")
    var traits = ScreenTraits()
    traits.style = .dark
    try expectEqual(traits.hashValue, ScreenTraits(style: .dark).hashValue, "the hash of equal traits")
    try expect(
      traits.horizontalSizeClass == .compact && traits.verticalSizeClass == .regular,
      "the default traits are wrong")
  }

  private static func checkErrors() throws {
    let errors: [ScreenHostError] = [
      .illegalTransition(from: .unloaded, to: .visible), .illegalContainment(from: .detached, to: .added),
      .wrongParent, .containsItself, .drivenByParent, .onDisplay(.visible), .offDisplay(.hidden), .ended,
      .transitionInProgress, .transitionEnded, .nothingToPop, .unknownScreen, .duplicateScreen,
      .noSuchTab(3, count: 2), .invalidSize(ViewportSize(width: -1, height: 0)),
    ]
    try expectEqual(Set(errors).count, errors.count, "distinct errors")
    try expectEqual(Set(errors.map(\.description)).count, errors.count, "distinct descriptions")
  }
}
