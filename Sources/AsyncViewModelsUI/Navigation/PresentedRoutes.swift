import Observation

/// The routes that a control of SwiftUI shows and writes: the path of a navigation stack, or the
/// route of a sheet.
///
/// The routes can change while the user closes a screen: a link replaces the path during a swipe.
/// The control then writes what is left of the routes that it shows, and would undo the change. It
/// does not say from which routes it has derived the value. So a write that removes routes counts
/// only if the screen of the top route has appeared, because the user cannot close another.
@MainActor
@Observable
final class PresentedRoutes<Value: Equatable & Sendable, Route: Hashable> {
  private struct Screen {
    let route: Route
    weak var screen: AnyObject?
  }

  /// Changes with each write. A control reads the routes again after its write, also if the write
  /// has had no effect, or if code has changed the routes back since.
  private var writes = 0
  @ObservationIgnored private let state: StateStore<Value>
  @ObservationIgnored private let observed: StateMirror<Value>
  @ObservationIgnored private let routes: @MainActor (Value) -> [Route]
  @ObservationIgnored private let value: @MainActor (Value, [Route]) -> Value
  /// The screens that have appeared and still exist.
  @ObservationIgnored private var screens: [Screen] = []

  /// - Parameters:
  ///   - routes: Returns the routes of a value of the state, the top one last.
  ///   - value: Returns a value of the state with other routes.
  init(
    _ state: StateStore<Value>, _ routes: @escaping @MainActor (Value) -> [Route],
    _ value: @escaping @MainActor (Value, [Route]) -> Value
  ) {
    self.state = state
    observed = StateMirror(state.storage, of: { $0 }, unless: ==)
    self.routes = routes
    self.value = value
  }

  /// The current routes. A write that cannot belong to the current routes has no effect.
  var current: [Route] {
    get {
      _ = writes
      return routes(observed.value)
    }
    set {
      defer { writes += 1 }
      var isReplaced = false
      repeat {
        let old = state.value
        guard accepts(newValue, insteadOf: routes(old)) else { return }
        isReplaced = state.storage.replace(old, with: value(old, newValue))
      } while !isReplaced
    }
  }

  /// Records that the screen of a route has appeared. The record ends with `screen`.
  func appear(_ route: Route, _ screen: AnyObject) {
    screens.removeAll { $0.screen == nil || $0.screen === screen }
    screens.append(Screen(route: route, screen: screen))
  }

  private func accepts(_ new: [Route], insteadOf old: [Route]) -> Bool {
    // A tap on a link adds one route. More routes are what a swipe has left of a path that code has
    // popped since.
    if new.count >= old.count { return new.count == old.count + 1 && new.starts(with: old) }
    guard let top = old.last, old.starts(with: new) else { return false }
    return screens.contains { $0.route == top && $0.screen != nil }
  }
}

extension PresentedRoutes where Value == NavigationState<Route> {
  /// The routes of a navigation stack. This object does not keep the model.
  convenience init(_ model: NavigationModel<Route>) {
    self.init(model.store, { $0.entries.baseFront.routes.map(\.route) }) { state, routes in
      var (new, tree) = (state, state.tree)
      tree.baseFront = RoutePath(routes)
      new.replace(with: tree)
      return new
    }
  }
}

extension PresentedRoutes where Value == Route? {
  /// The route of a sheet.
  convenience init(_ route: StateStore<Route?>) {
    self.init(route, { $0.map { [$0] } ?? [] }, { $1.last })
  }

  /// The current route. `nil` removes it.
  var route: Route? {
    get { current.last }
    set { current = newValue.map { [$0] } ?? [] }
  }
}
