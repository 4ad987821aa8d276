import AsyncViewModels

extension StressProgram {
  static var screenValues: [StressProgram] {
    [
      StressProgram(
        name: "screen-values",
        summary: "sizes, keyboard changes, traits and errors compare by value",
        run: values)
    ]
  }

  private static func values(load: Load) async throws {
    try await load.inParallel { _ in
      for round in 0..<(30_000 / load.tasks) {
        try checkSizes(Double(round))
        if round % 16 == 8 { await Task.yield() }
      }
    }
    try checkErrors()
  }

  private static func checkSizes(_ width: Double) throws {
    var size = ViewportSize(width: width, height: .infinity)
    try expect(!size.isValid && !ViewportSize(width: .nan, height: 1).isValid, "an invalid size is valid")
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
