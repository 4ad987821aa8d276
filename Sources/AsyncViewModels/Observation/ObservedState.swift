public import Observation

/// A view model's state as SwiftUI observes it, and UIKit binds it: a mirror of its stream on the main actor.
///
/// ```swift
/// struct CartView: View {
///   @State private var cart: ObservedState<CartState>
///
///   init(_ model: CartViewModel) { _cart = State(initialValue: ObservedState(model.state, model.states())) }
///   var body: some View { Text("\(cart.value.cart.itemCount)") }
/// }
/// ```
///
/// - First value: there from the start, so that no frame is drawn without it. The stream yields it once more when it is first read:
///   a view may be drawn, and a binding called, twice with it, unless the mirror is one of a part (`of:`), which leaves out equals.
/// - Later values: in order, each on the main actor; while that is busy the stream conflates, and only the latest arrives. When the
///   stream ends, the last one stays.
/// - Lifetime: it keeps no view model, only the stream, which does not either. It leaves the stream when it goes away: with its view.
/// - Cost: one observer of the stream, however many views and bindings look at the mirror. A `@State` makes its initial value anew
///   whenever the view is described anew, and drops it: an observer that comes and goes, in vain but cheap.
@MainActor
@Observable
public final class ObservedState<Value: Sendable> {
  /// The latest state that has arrived.
  public private(set) var value: Value

  @ObservationIgnored private let bindings = MirrorBindings<Value>()
  @ObservationIgnored private var observation: CancellationToken?

  /// Mirrors `states`. Ask the view model for `value` first and for `states` second, as in `ObservedState(model.state, model.states())`:
  /// then nothing falls in between.
  public init<States: AsyncSequence & Sendable>(_ value: Value, _ states: States)
  where States.Element == Value, States.Failure == Never {
    self.value = value
    observation = states.observe(on: self) { mirror, value in mirror.receive(value) }
  }

  /// Mirrors a part of `states`, as in `ObservedState(model.state, model.states(), of: \.cart.itemCount)`; views are not told of states in which
  /// it is as before. With `\.self` it leaves out states that are equal.
  public convenience init<State: Sendable, States: AsyncSequence & Sendable>(
    _ state: State, _ states: States, of projection: @escaping @MainActor (State) -> Value
  ) where Value: Equatable, States.Element == State, States.Failure == Never {
    self.init(state, states, of: projection, by: ==)
  }

  /// Mirrors a part of `states` that cannot be compared with `==`, such as content that may be an error:
  /// `ObservedState(model.state, model.states(), of: \.content) { $0.value == $1.value && $0.isLoading == $1.isLoading }`.
  public init<State: Sendable, States: AsyncSequence & Sendable>(
    _ state: State, _ states: States, of projection: @escaping @MainActor (State) -> Value,
    by areEqual: @escaping @MainActor (Value, Value) -> Bool
  ) where States.Element == State, States.Failure == Never {
    value = projection(state)
    observation = states.observe(on: self) { mirror, state in
      let value = projection(state)
      if !areEqual(mirror.value, value) { mirror.receive(value) }
    }
  }

  private func receive(_ value: Value) {
    self.value = value
    bindings.deliver(value)
  }
}

extension ObservedState {
  /// Runs `body` with the value, at once and after each later one, until the token is cancelled or goes away, or the target does.
  ///
  /// All bindings of a mirror see a value before any of them sees the next one, in the order in which they were bound.
  public func bind<Target: AnyObject>(
    on target: Target, _ body: @escaping @MainActor (Target, Value) -> Void
  ) -> CancellationToken {
    body(target, value)
    return bindings.add { [weak target] value in
      guard let target else { return false }
      body(target, value)
      return true
    }
  }

  /// Keeps a property of `target` at a part of the value, as in `cart.bind(\.title, to: \.text, on: label)`: at once, and whenever it
  /// has changed. It ends as ``bind(on:_:)`` does.
  public func bind<Target: AnyObject, NamedTask: Equatable>(
    _ part: @escaping @MainActor (Value) -> NamedTask,
    to property: ReferenceWritableKeyPath<Target, NamedTask>,
    on target: Target
  ) -> CancellationToken {
    var last: NamedTask?
    return bind(on: target) { target, value in
      let part = part(value)
      guard part != last else { return }
      last = part
      target[keyPath: property] = part
    }
  }

  /// The same for an optional property, such as the text of a label.
  public func bind<Target: AnyObject, NamedTask: Equatable>(
    _ part: @escaping @MainActor (Value) -> NamedTask,
    to property: ReferenceWritableKeyPath<Target, NamedTask?>,
    on target: Target
  ) -> CancellationToken {
    bind({ Optional(part($0)) }, to: property, on: target)
  }
}
