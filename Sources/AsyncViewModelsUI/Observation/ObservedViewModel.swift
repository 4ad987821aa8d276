public import Observation

/// A view model together with its state on the main actor, for a SwiftUI view that owns the view
/// model and for the views below it.
///
/// ```swift
/// struct CartBadge: View {
///   @Environment(ObservedViewModel<CartViewModel>.self) private var cart
///
///   var body: some View { Text("\(cart.state.cart.itemCount)") }
/// }
/// ```
///
/// A view reads ``state`` and is evaluated again after each change. It calls the intents of
/// ``model``. Reading `model.state` does not register the view for changes.
///
/// A view that shows a small part of a large state uses ``StateMirror/init(_:pacing:of:)``
/// instead, and is evaluated only if that part has changed.
///
/// - Isolation: The main actor.
/// - Ordering: ``state`` changes only between turns of the main actor and in ``perform(_:)``, so
///   all reads of one evaluation return the same state. Changes arrive in order. If the main actor
///   was busy, only the latest one arrives.
/// - Ownership: This object keeps the view model and its lease. When it is released, the
///   observation and the lease end.
/// - Complexity: One observer.
@MainActor
@Observable
public final class ObservedViewModel<Model: StateSource> {
  /// The view model, whose intents the views call.
  public let model: Model
  /// The state of the view model.
  public private(set) var state: Model.State
  @ObservationIgnored private var version: UInt64
  @ObservationIgnored private let lease: ViewModelLease<Model>?
  @ObservationIgnored private var observation: CancellationToken?

  /// Observes a view model, and keeps it.
  ///
  /// With a `pacing`, ``state`` follows the view model at most once in each frame, and in
  /// ``perform(_:)``.
  public convenience init(_ model: Model, pacing: FramePacing? = nil) {
    self.init(model, lease: nil, pacing: pacing)
  }

  /// Observes a leased view model, and keeps the lease.
  public convenience init(_ lease: ViewModelLease<Model>, pacing: FramePacing? = nil) {
    self.init(lease.model, lease: lease, pacing: pacing)
  }

  private init(_ model: Model, lease: ViewModelLease<Model>?, pacing: FramePacing?) {
    self.model = model
    self.lease = lease
    (state, version) = model.store.storage.versionedValue
    observation = model.observe(on: self, pacing: pacing) { observed, _ in observed.takeState() }
  }

  /// Calls an intent that changes the state before it returns, and takes over the change in this
  /// turn of the main actor.
  ///
  /// Use it for changes with an animation, because SwiftUI animates what changes within
  /// `withAnimation`:
  ///
  /// ```swift
  /// withAnimation { posts.perform { $0.hide(post) } }
  /// ```
  ///
  /// - Returns: The value that `change` returns.
  /// - Throws: The error that `change` throws.
  @discardableResult
  public func perform<Output, Failure: Error>(
    _ change: (Model) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    defer { takeState() }
    return try change(model)
  }

  /// Reads the state of the view model, unless it was read since its last change.
  private func takeState() {
    let (newState, newVersion) = model.store.storage.versionedValue
    guard newVersion != version else { return }
    version = newVersion
    // The old value is released after the access has ended: its `deinit` can read this object.
    let oldState = state
    state = newState
    withExtendedLifetime(oldState) {}
  }
}
