import Observation

/// The routes that a control of SwiftUI shows and writes: the path of a navigation stack, or the route of a sheet.
///
/// The routes can change while the user closes a screen: a link replaces the path during a swipe. The control then writes what
/// is left of the routes that it shows, and would undo the change. It does not say from which routes it has derived the value.
/// So a write that removes routes counts only if the top route has been shown, because the user cannot close another screen.
@MainActor
final class PresentedRoutes<Value: Equatable & Sendable, Route: Hashable>: Observable {
  private let state: ObservableState<Value>
  private let observed: ObservedState<Value>
  private let routes: @MainActor (Value) -> [Route]
  private let value: @MainActor ([Route]) -> Value
  /// The routes whose screens have been made. SwiftUI may keep a screen that it has made, so a route is never removed.
  private var shown: Set<Route> = []

  /// - Parameters:
  ///   - routes: Returns the routes of a value of the state, the top one last.
  ///   - value: Returns the value of the state for routes.
  init(
    _ state: ObservableState<Value>, _ routes: @escaping @MainActor (Value) -> [Route],
    _ value: @escaping @MainActor ([Route]) -> Value
  ) {
    self.state = state
    observed = ObservedState(state.storage, of: { $0 }, unless: ==)
    self.routes = routes
    self.value = value
  }

  /// The current routes. A write that cannot belong to the current routes has no effect.
  var current: [Route] {
    get { routes(observed.value) }
    set {
      while true {
        let old = state.value
        guard accepts(newValue, insteadOf: routes(old)) else { return }
        // Announced in this turn: if code changes the routes back at once, the control has to show them again.
        if state.storage.replace(old, with: value(newValue)) { return observed.announceChange() }
      }
    }
  }

  /// Records that the screen of a route has been made.
  func show(_ route: Route) { shown.insert(route) }

  private func accepts(_ new: [Route], insteadOf old: [Route]) -> Bool {
    if new.count >= old.count { return new != old && new.starts(with: old) }
    guard let top = old.last, old.starts(with: new) else { return false }
    return shown.contains(top)
  }
}

extension PresentedRoutes where Value == RoutePath<Route> {
  /// The routes of a navigation stack. This object does not keep the model.
  convenience init(_ model: NavigationModel<Route>) {
    self.init(model.store, { $0.routes }, { RoutePath($0) })
  }
}

extension PresentedRoutes where Value == Route? {
  /// The route of a sheet.
  convenience init(_ route: ObservableState<Route?>) {
    self.init(route, { $0.map { [$0] } ?? [] }, { $0.last })
  }

  /// The current route. `nil` removes it.
  var route: Route? {
    get { current.last }
    set { current = newValue.map { [$0] } ?? [] }
  }
}
