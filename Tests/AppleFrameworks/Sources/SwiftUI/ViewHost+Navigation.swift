extension ViewHost {
  /// How many screens the navigation stack shows on its root. The stack shows a new path after an update.
  public var stackDepth: Int { stack.shown.count }

  /// Taps the back button.
  public func pop() { popTo(stackDepth - 1) }

  /// Chooses a screen in the menu of the back button: the one with `count` screens on the root.
  public func popTo(_ count: Int) {
    checkNotPopping()
    guard (0..<stackDepth).contains(count) else {
      fatalError("The stack has \(stackDepth) screens on its root, so the user cannot go back to \(count).")
    }
    stack.pop(to: count)
  }

  /// Begins to swipe the top screen away. Until the end of the gesture, the stack shows no change of the
  /// path.
  public func beginPop() {
    checkNotPopping()
    guard stackDepth > 0 else { fatalError("The stack shows its root, so there is no screen to pop.") }
    stack.beginPop()
  }

  /// Ends the gesture: the stack removes the screen, and writes the path that stays.
  public func endPop() {
    checkPopping()
    stack.pop(to: stackDepth - 1)
  }

  /// Cancels the gesture: the screen stays. The next update shows the changes of the path in the meantime.
  public func cancelPop() {
    checkPopping()
    stack.cancelPop()
  }

  private var stack: StackEffect {
    guard let stack = front.visible.lazy.compactMap({ $0.effect as? StackEffect }).first else {
      fatalError("The screen has no navigation stack.")
    }
    return stack
  }

  private func checkPopping() {
    guard stack.isPopping else { fatalError("There is no pop gesture. Call beginPop() first.") }
  }

  private func checkNotPopping() {
    checkNoAlert()
    guard !stack.isPopping else {
      fatalError("A pop gesture is in progress. Call endPop() or cancelPop() first.")
    }
  }
}
