public import Observation
import Synchronization

/// Mirrors a part of a view model's state on the main actor, for SwiftUI to observe and UIKit to
/// bind to.
///
/// A SwiftUI view that owns a view model begins with `StateViewModel`. A mirror is for a view that
/// shows a small part of a large state:
///
/// ```swift
/// struct CartBadge: View {
///   let itemCount: StateMirror<Int>  // the parent keeps StateMirror(cart, of: \.cart.itemCount)
///
///   var body: some View { Text("\(itemCount.value)") }
/// }
/// ```
///
/// ``value`` is available immediately, and delivered once more on the next turn (job) of the main
/// actor. Pass `of: \.self` to skip equal values.
///
/// | topic | guarantee |
/// | --- | --- |
/// | one turn | All reads in a turn return the same value, so all reads of one `body` agree. |
/// | own changes | A change by the main thread is read at once: a text field that changes the view model reads its own change in the same turn. |
/// | order | A turn never reads an older value than the code that started it. |
/// | notifications | In order, on the main actor, at most once in each turn. A busy main actor skips to the latest change. |
/// | pacing | With a ``FramePacing``, notifications come at most once in each frame. ``value`` is not delayed. |
/// | end | The last value remains after the view model is deallocated. |
///
/// - Ownership: This object does not retain the view model. The observation ends when this object
///   is deallocated, for example together with the view that stores it.
/// - Complexity: One observer for any number of views and bindings. The first read of ``value`` in
///   a turn enqueues one short job. A projection and its comparison run for that read and for each
///   change.
/// - Note: A view whose initializer calls `State(initialValue:)` makes an object each time SwiftUI
///   describes the view, and SwiftUI discards all but the first. Each discarded object costs a
///   short-lived observer.
@MainActor
@Observable
public final class StateMirror<Value: Sendable> {
  /// The current value.
  public var value: Value {
    access(keyPath: \.value)
    return read()
  }

  @ObservationIgnored private let read: @MainActor () -> Value
  @ObservationIgnored private let bindings = MainActorBindings<Value>()
  @ObservationIgnored private var observation: CancellationToken?

  /// Creates an object that follows the state of a view model.
  ///
  /// - Parameters:
  ///   - model: The view model.
  ///   - pacing: Limits the notifications to one in each frame, or `nil` for one after each change.
  public convenience init(_ model: some StateSource<Value>, pacing: FramePacing? = nil) {
    self.init(model.store.storage, pacing: pacing) { $0 }
  }

  /// Creates an object that follows an equatable projection of the state of a view model.
  ///
  /// ```swift
  /// StateMirror(model, of: \.cart.itemCount)
  /// ```
  ///
  /// A new state updates views only if its projection differs from that of the last update, or if
  /// some code has read a different ``value`` since.
  public convenience init<State>(
    _ model: some StateSource<State>, pacing: FramePacing? = nil,
    of projection: @escaping @MainActor (State) -> Value
  ) where Value: Equatable {
    self.init(model, pacing: pacing, of: projection, by: ==)
  }

  /// Creates an object that follows a projection of the state of a view model, and compares
  /// projected values with `areEqual`.
  ///
  /// Use this initializer if `==` is not available, for example because the projected value may
  /// contain an error:
  ///
  /// ```swift
  /// StateMirror(model, of: \.content) { $0.value == $1.value && $0.isLoading == $1.isLoading }
  /// ```
  public convenience init<State>(
    _ model: some StateSource<State>, pacing: FramePacing? = nil,
    of projection: @escaping @MainActor (State) -> Value,
    by areEqual: @escaping @MainActor (Value, Value) -> Bool
  ) {
    self.init(model.store.storage, pacing: pacing, of: projection, unless: areEqual)
  }

  /// Creates an object that follows the elements of a sequence. To follow a view model, use
  /// ``init(_:pacing:)``.
  ///
  /// ``value`` is the last element that has arrived. Each element is announced in a separate turn
  /// of the main actor.
  ///
  /// - Parameters:
  ///   - value: The value to show until the first element arrives.
  ///   - values: The sequence of the later values.
  public init<Values: AsyncSequence & Sendable>(_ value: Value, _ values: Values)
  where Values.Element == Value, Values.Failure == Never {
    let latest = Latest(value)
    read = { latest.value }
    // Returns `false` after this object was released, also if an element was read before.
    let take: @MainActor @Sendable (Value) -> Bool = { [weak self] value in
      guard let self else { return false }
      latest.replace(with: value)
      announce(value)
      return true
    }
    let liveObject = LiveObjectToken(.task, "observe on \(Self.self)")
    // Reads on no actor: on the main actor, all available elements would be read in one turn.
    let task = Task { @concurrent in
      defer { liveObject.end() }
      _ = await values.forEachElement { await take($0) }
    }
    observation = CancellationToken(onCancel: task.cancel)
  }

  /// Creates an object that follows the value in a storage. The storage keeps neither its
  /// ``StateStore`` nor the view model alive.
  init<State: Sendable>(
    _ storage: StateStorage<State>, pacing: FramePacing? = nil,
    of projection: @escaping @MainActor (State) -> Value,
    unless areEqual: (@MainActor (Value, Value) -> Bool)? = nil
  ) {
    guard let areEqual else {
      let snapshot = TurnSnapshot(of: storage, projection)
      read = { snapshot.value }
      observation = storage.observe(on: self, pacing: pacing) { observed, _ in
        snapshot.deliver { observed.announce($0) }
      }
      return
    }
    let announced = Latest(projection(storage.value))
    let snapshot = TurnSnapshot(of: storage) { state in
      let value = projection(state)
      // If the value was not announced, the code that reads it now must be notified later, even if
      // the value has changed back by then.
      if !announced.isOutdated, !areEqual(announced.value, value) { announced.isOutdated = true }
      return value
    }
    read = { snapshot.value }
    observation = storage.observe(on: self, pacing: pacing) { observed, _ in
      snapshot.deliver { value in
        guard announced.isOutdated else { return }
        announced.isOutdated = false
        announced.replace(with: value)
        observed.announce(value)
      }
    }
  }

  private func announce(_ value: Value) {
    withMutation(keyPath: \.value) {}
    bindings.deliver(value)
  }
}

extension StateMirror {
  /// Runs `body` at once with the current value, and then after each change with the latest value.
  ///
  /// The binding ends when the token is cancelled or released, or when `target` is deallocated.
  ///
  /// - Ordering: All bindings receive a change, in the order of the calls of `bind`, before any of
  ///   them receives the next change. A binding that another binding creates receives the current
  ///   value at once.
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

  /// Assigns a projection of the value to a property of `target`, at once and each time the
  /// projection changes.
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

  /// Assigns a projection of the value to an optional property of `target`, at once and each time
  /// the projection changes.
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

/// The last value that a ``StateMirror`` has *announced* to its views and bindings.
@MainActor
private final class Latest<Value> {
  private(set) var value: Value
  /// Whether a different value has been read since the last announcement.
  var isOutdated = false

  init(_ value: Value) { self.value = value }

  /// Replaces the value. The old value is released after the access has ended: its `deinit` can
  /// read this object.
  func replace(with value: Value) { withExtendedLifetime(exchange(&self.value, with: value)) {} }
}

/// The bindings of one ``StateMirror``. They run on the main actor. A binding's token can remove
/// the binding on any thread.
final class MainActorBindings<Value: Sendable>: Sendable {
  /// Runs a binding. Returns `false` if the target of the binding has been deallocated.
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

  private func remove(_ number: Int) { guarded.take { $0.bindings.removeValue(forKey: number) } }
}
