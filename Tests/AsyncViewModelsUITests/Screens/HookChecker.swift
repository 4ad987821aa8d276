import AsyncViewModelsUI

/// Checks the order of hooks that a screen can rely on, independently of the state machine under test.
struct HookChecker {
  struct UnexpectedHook: Error {
    let hook: ScreenHook
    let before: ScreenHook?
  }

  private(set) var loads = 0
  private var last: ScreenHook?
  private var laidOut: ViewportSize?
  private var announced: ViewportSize?

  mutating func check(_ hook: ScreenHook) throws {
    if case .willLayout(let size) = hook {
      guard size != laidOut, size != announced, isOnDisplay else {
        throw UnexpectedHook(hook: hook, before: last)
      }
      announced = size
      return
    }
    if case .didLayout(let size) = hook {
      guard size == announced, isOnDisplay else { throw UnexpectedHook(hook: hook, before: last) }
      (laidOut, announced) = (size, nil)
      return
    }
    let fits =
      switch (last, hook) {
      case (nil, .didLoad): true
      case (.didLoad, .willAppear), (.didDisappear, .willAppear), (.willDisappear, .willAppear): true
      case (.willAppear(let began), .didAppear(let ended)): began == ended
      case (.willAppear, .willDisappear), (.didAppear, .willDisappear): true
      case (.willDisappear(let began), .didDisappear(let ended)): began == ended
      default: false
      }
    guard fits else { throw UnexpectedHook(hook: hook, before: last) }
    if hook == .didLoad { loads += 1 }
    if case .didDisappear = hook { announced = nil }
    last = hook
  }

  private var isOnDisplay: Bool {
    switch last {
    case .willAppear, .didAppear, .willDisappear: true
    case nil, .didLoad, .didDisappear, .willLayout, .didLayout: false
    }
  }
}
