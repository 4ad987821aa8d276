public import Observation

/// A state on the main actor that a control shows and changes, such as the path of a navigation stack or the route of a
/// sheet.
///
/// ```swift
/// @State private var path: EditableState<RoutePath<AppRoute>>  // made with EditableState(navigation)
///
/// var body: some View {
///   NavigationStack(path: Bindable(path).value) { … }
/// }
/// ```
///
/// The state changes while the control is shown: a link replaces the path while the user swipes back. The control then
/// writes a value that it has derived from an old one. Such a write would undo the change, so it has no effect: the control
/// reads the newer value and shows it.
///
/// - Isolation: The main actor. The state may change on any thread.
/// - Ordering: A write replaces the value that was last read or written here, or else does nothing. The comparison and the
///   write are one step. ``value`` contains an own write at once.
/// - Ownership: This object keeps the ``ObservableState`` alive, but no ``NavigationModel``. The observation ends when this
///   object is released.
/// - Complexity: O(1), and one comparison for each read, write and change. Use an object for each control, because two
///   controls that share an object share the value that was last read.
@MainActor
public final class EditableState<Value: Equatable & Sendable>: Observable {
  private let state: ObservableState<Value>
  private let observed: ObservedState<Value>
  /// The value that was last read or written.
  private var shown: Value

  /// Follows a state, and lets a control change it.
  public init(_ state: ObservableState<Value>) {
    self.state = state
    observed = ObservedState(state.storage, of: { $0 }, unless: ==)
    shown = state.value
  }

  /// The current value. A write has no effect if the state has changed since the last read.
  public var value: Value {
    get {
      let value = observed.value
      replaceShown(with: value)
      return value
    }
    set {
      if state.storage.replace(shown, with: newValue) { replaceShown(with: newValue) }
    }
  }

  /// The old value is released after the access has ended: its `deinit` can read this object.
  private func replaceShown(with value: Value) { withExtendedLifetime(exchange(&shown, with: value)) {} }
}

extension EditableState {
  /// Follows the path of a navigation model, and lets a navigation stack change it.
  public convenience init<Route>(_ model: NavigationModel<Route>) where Value == RoutePath<Route> {
    self.init(model.store)
  }
}
