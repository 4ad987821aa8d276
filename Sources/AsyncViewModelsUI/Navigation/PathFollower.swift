/// A stack of screens that a ``PathFollower`` can change.
@MainActor
protocol PathStack: AnyObject {
  associatedtype Screen: AnyObject

  /// The screens from the root to the top.
  var screens: [Screen] { get }

  /// Whether the stack may change now.
  var canMove: Bool { get }

  /// Runs `action` after the transition that is in progress.
  func afterTransition(_ action: @escaping @MainActor () -> Void)

  /// Removes the screens above `screen`, adds `newScreens` on top of it, and shows the last one, in
  /// one transition.
  @discardableResult
  func replaceScreens(
    above screen: Screen, with newScreens: [Screen], animated: Bool
  ) throws(ScreenHostError) -> [Screen]
}

/// Keeps the screens of a stack and a path of a navigation tree in sync.
@MainActor
final class PathFollower<Route: Hashable & Sendable, Stack: PathStack> {
  private struct Shown {
    let entry: NavigationEntry<Route>
    /// The stack keeps the screen.
    weak var screen: Stack.Screen?
  }

  private let model: NavigationModel<Route>
  /// The root of the stack in the tree, or `nil` for the base.
  private let root: NavigationEntry<Route>?
  private let makeScreen: @MainActor (NavigationEntry<Route>) -> Stack.Screen
  /// The entries that the stack shows, with their screens.
  private var shown: [Shown] = []
  private var isAnimated = false
  private var isShowing = false
  /// Whether the path or the stack may have changed since the path was last shown.
  private var isOutdated = false
  private var observation: CancellationToken?

  init(
    _ model: NavigationModel<Route>, above root: NavigationEntry<Route>? = nil,
    _ makeScreen: @escaping @MainActor (NavigationEntry<Route>) -> Stack.Screen
  ) {
    self.model = model
    self.root = root
    self.makeScreen = makeScreen
  }

  /// Shows the current path without animation. Later paths are shown by the owner of this object.
  func begin(on stack: Stack, animated: Bool) {
    show(on: stack)
    isAnimated = animated
  }

  /// Shows the current path without animation, and each later path.
  func follow(on stack: Stack, animated: Bool) {
    begin(on: stack, animated: animated)
    // With duplicates: a path that was shown, then popped, may be set again.
    observation = model.store.observe(on: stack) { [weak self] stack, _ in self?.show(on: stack) }
  }

  /// Removes the routes of popped screens from the path, and then shows the path.
  func stackChanged(_ stack: Stack) {
    removePoppedRoutes(of: stack)
    show(on: stack)
  }

  /// Shows the current path: now, or after the transition that is in progress.
  func show(on stack: Stack) {
    isOutdated = true
    // A hook or `makeScreen` has changed the stack. The call that is running shows the path again.
    guard !isShowing else { return }
    isShowing = true
    defer { isShowing = false }
    while isOutdated, stack.canMove {
      isOutdated = false
      showOnce(on: stack)
    }
    guard isOutdated else { return }
    stack.afterTransition { [weak self, weak stack] in
      if let self, let stack { show(on: stack) }
    }
  }

  private func showOnce(on stack: Stack) {
    // Not every stack reports a change at once.
    removePoppedRoutes(of: stack)
    guard let entries = model.entries(above: root) else { return }
    let kept = zip(shown, entries).prefix { $0.entry == $1 }.count
    guard kept < max(shown.count, entries.count) else { return }
    // A stack without a root shows nothing.
    guard !stack.screens.isEmpty else { return }
    guard screen(below: kept, in: stack) != nil else {
      // Other code has made the screen the root, which cannot be removed. The screen no longer has
      // a route.
      shown.remove(at: kept)
      isOutdated = true
      return
    }
    let added = entries[kept...].map { (entry: $0, screen: makeScreen($0)) }
    // `makeScreen` can change the path or the stack.
    guard !isOutdated, model.entries(above: root) == entries, let base = screen(below: kept, in: stack) else {
      isOutdated = true
      return
    }
    shown.replaceSubrange(kept..., with: added.map { Shown(entry: $0.entry, screen: $0.screen) })
    do {
      try stack.replaceScreens(above: base, with: added.map(\.screen), animated: isAnimated)
    } catch {
      // A hook has taken a screen away from the stack, or has ended the stack.
      dropPopped(from: stack)
    }
  }

  /// Returns the screen below an entry, or the top screen if there is no such entry. Returns `nil`
  /// for the root.
  private func screen(below entry: Int, in stack: Stack) -> Stack.Screen? {
    guard entry < shown.count else { return stack.screens.last }
    guard let index = stack.screens.firstIndex(where: { $0 === shown[entry].screen }), index > 0 else {
      return nil
    }
    return stack.screens[index - 1]
  }

  /// Removes the routes of popped screens from the path, unless code has added a screen above them.
  func removePoppedRoutes(of stack: Stack) {
    let entries = shown.map(\.entry)
    dropPopped(from: stack)
    let rest = Set(shown.map(\.entry))
    let popped = entries.filter { !rest.contains($0) }
    if !popped.isEmpty { model.close(popped, of: entries) }
  }

  /// Drops the entries whose screens are not in the stack, or are in another order than their
  /// routes.
  private func dropPopped(from stack: Stack) {
    var rest = ArraySlice(stack.screens)
    shown.removeAll { shown in
      guard let index = rest.firstIndex(where: { $0 === shown.screen }) else { return true }
      rest = rest[(index + 1)...]
      return false
    }
  }
}
