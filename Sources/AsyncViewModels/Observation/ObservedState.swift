public import Observation
import Synchronization

/// A main-actor copy of a view model's state that SwiftUI observes and UIKit binds to.
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
/// The first value is available at once, so no frame is drawn without it. The stream yields that value once
/// more when it is first read. A view may be drawn twice with it, and a binding called twice. An object
/// created with a projection (`of:`) omits equal values and so avoids this.
///
/// - Ordering: Later values arrive in order, each on the main actor. While the main actor is busy, the stream
///   keeps only the latest value. After the stream ends, the last value remains.
/// - Ownership: This object retains the stream but no view model, and neither does the stream. It leaves the
///   stream when it is deallocated, together with its view.
/// - Complexity: One observer of the stream for any number of views and bindings. SwiftUI evaluates the
///   initial value of a `@State` each time it creates the view, and discards all but the first. Each
///   discarded value is a short-lived observer, which is cheap.
@MainActor
@Observable
public final class ObservedState<Value: Sendable> {
  /// The latest value that has arrived.
  public private(set) var value: Value

  @ObservationIgnored private let bindings = MainActorBindings<Value>()
  @ObservationIgnored private var observation: CancellationToken?

  /// Creates an object that starts with `value` and follows `states`.
  ///
  /// Get `value` from the view model before `states`, as in `ObservedState(model.state, model.states())`.
  /// Then no value between the two is missed.
  public init<States: AsyncSequence & Sendable>(_ value: Value, _ states: States)
  where States.Element == Value, States.Failure == Never {
    self.value = value
    observation = states.observe(on: self) { observed, value in observed.receive(value) }
  }

  /// Creates an object that follows an equatable projection of `states`.
  ///
  /// ```swift
  /// ObservedState(model.state, model.states(), of: \.cart.itemCount)
  /// ```
  ///
  /// A state with an equal projection does not update views. Pass `\.self` to omit equal states.
  public convenience init<State: Sendable, States: AsyncSequence & Sendable>(
    _ state: State, _ states: States, of projection: @escaping @MainActor (State) -> Value
  ) where Value: Equatable, States.Element == State, States.Failure == Never {
    self.init(state, states, of: projection, by: ==)
  }

  /// Creates an object that follows a projection of `states` and compares its values with `areEqual`.
  ///
  /// Use this initializer if `==` is not available, for example because the value may contain an error:
  ///
  /// ```swift
  /// ObservedState(model.state, model.states(), of: \.content) {
  ///   $0.value == $1.value && $0.isLoading == $1.isLoading
  /// }
  /// ```
  public init<State: Sendable, States: AsyncSequence & Sendable>(
    _ state: State, _ states: States, of projection: @escaping @MainActor (State) -> Value,
    by areEqual: @escaping @MainActor (Value, Value) -> Bool
  ) where States.Element == State, States.Failure == Never {
    value = projection(state)
    observation = states.observe(on: self) { observed, state in
      let value = projection(state)
      if !areEqual(observed.value, value) { observed.receive(value) }
    }
  }

  private func receive(_ value: Value) {
    self.value = value
    bindings.deliver(value)
  }
}

extension ObservedState {
  /// Runs `body` with the current value at once and with each later value.
  ///
  /// The binding ends when the token is cancelled or released, or when `target` is deallocated.
  ///
  /// - Ordering: All bindings of an object see a value before any of them sees the next one, in the order in
  ///   which they were bound.
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

  /// Assigns a projection of the value to a property of `target`, at once and after each change.
  ///
  /// ```swift
  /// cart.bind(\.title, to: \.text, on: label)
  /// ```
  ///
  /// The binding ends when the token is cancelled or released, or when `target` is deallocated.
  public func bind<Target: AnyObject, Projected: Equatable>(
    _ projection: @escaping @MainActor (Value) -> Projected,
    to property: ReferenceWritableKeyPath<Target, Projected>,
    on target: Target
  ) -> CancellationToken {
    var last: Projected?
    return bind(on: target) { target, value in
      let projected = projection(value)
      guard projected != last else { return }
      last = projected
      target[keyPath: property] = projected
    }
  }

  /// Assigns a projection of the value to an optional property of `target`, at once and after each change.
  ///
  /// The binding ends when the token is cancelled or released, or when `target` is deallocated.
  public func bind<Target: AnyObject, Projected: Equatable>(
    _ projection: @escaping @MainActor (Value) -> Projected,
    to property: ReferenceWritableKeyPath<Target, Projected?>,
    on target: Target
  ) -> CancellationToken {
    bind({ Optional(projection($0)) }, to: property, on: target)
  }
}

/// The bindings of one ``ObservedState``. They run on the main actor; a token can remove one from any thread.
final class MainActorBindings<Value: Sendable>: Sendable {
  /// Returns false if the binding's target has been deallocated.
  typealias Binding = @MainActor (Value) -> Bool

  private struct Guarded: Sendable {
    var lastNumber = 0
    var bindings: [Int: Binding] = [:]
  }

  private let guarded = Mutex(Guarded())

  func add(_ binding: @escaping Binding) -> CancellationToken {
    let number = guarded.withLock { guarded in
      guarded.lastNumber += 1
      guarded.bindings[guarded.lastNumber] = binding
      return guarded.lastNumber
    }
    return CancellationToken { [weak self] in self?.remove(number) }
  }

  @MainActor
  func deliver(_ value: Value) {
    for number in guarded.withLock({ $0.bindings.keys.sorted() }) {
      // An earlier binding may have ended this one.
      guard let binding = guarded.withLock({ $0.bindings[number] }) else { continue }
      if !binding(value) { remove(number) }
    }
  }

  private func remove(_ number: Int) {
    // The binding's captures are released after the unlock: their `deinit` can run any code.
    withExtendedLifetime(guarded.withLock { $0.bindings.removeValue(forKey: number) }) {}
  }
}
