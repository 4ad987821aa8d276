/// Creates one view model for each identity, and shares the view model through leases.
///
/// ```swift
/// let details = ViewModelStore { id in
///   ProductDetailViewModel(itemID: id, source: .list, service: service)
/// }
/// let lease = await details.lease(7)  // a screen keeps this, and uses `lease.model`
/// ```
///
/// After the last lease has ended, the store keeps the view model for a limited time, its
/// *retention*.
///
/// | when a lease is requested | its view model |
/// | --- | --- |
/// | first | a new one |
/// | while there is another lease, or during the retention | the same one |
/// | just as the retention ends | the same one or a new one, never one that the store has released |
/// | later | a new one |
///
/// - Isolation: `make` runs on the store, one call at a time and under no lock. If the store's
///   isolation is the main actor, main-actor code uses the store through `assumeIsolated`. Leases
///   may end on any thread.
/// - Cancellation: Releasing the store ends every retention. View models in use live until their
///   leases end.
/// - Complexity: O(1) for a lease. Each retained view model has one task, which ends with the
///   retention.
public actor ViewModelStore<Identity: Hashable & Sendable, Model: AnyObject & Sendable> {
  /// The executor of the store's isolation.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe isolation.unownedExecutor }

  private nonisolated let isolation: ModelIsolation
  /// Whether main-actor code cannot use the store synchronously, because no other code has its
  /// isolation.
  package nonisolated let hasOwnIsolation: Bool
  private nonisolated let cache: ViewModelCache<Identity, Model>
  private let make: @Sendable (Identity) -> Model
  private var making: Set<Identity> = []

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - retention: The time for which the store keeps a view model after its last lease has ended.
  ///     If the time is zero, the store releases the view model at once.
  ///   - clock: The clock that measures the retention.
  ///   - isolation: The actor whose executor the store uses. Without one, the store behaves like a
  ///     plain actor.
  ///   - make: Makes the view model of an identity. It must not lease the same identity from the
  ///     store.
  /// - Precondition: `retention` is not negative.
  public init(
    retention: Duration = .seconds(5), clock: any Clock<Duration> = ContinuousClock(),
    isolation: (any Actor)? = nil, make: @escaping @Sendable (Identity) -> Model
  ) {
    guard retention >= .zero else { fatalError("ViewModelStore: the retention is negative: \(retention)") }
    self.isolation = ModelIsolation(isolation)
    hasOwnIsolation = isolation == nil
    cache = ViewModelCache(retention: retention, clock: clock)
    self.make = make
  }

  /// The numbers of view models and leases, read at the same moment.
  package nonisolated var counts: ViewModelCounts { cache.counts }

  /// Returns a lease of the view model for an identity, and makes the view model if there is none.
  ///
  /// The store keeps the view model at least until the lease has ended.
  ///
  /// - Parameters:
  ///   - identity: The identity of the view model.
  ///   - file: The file of the call. A flight recorder notes who holds the view model.
  ///   - line: The line of the call.
  /// - Precondition: `make` does not call this method for the identity whose view model it is
  ///   making.
  public func lease(
    _ identity: Identity, file: StaticString = #fileID, line: UInt = #line
  ) -> ViewModelLease<Model> {
    let holder = cache.holder(file, line)
    if let lease = cache.lease(identity, holder) { return lease }
    guard making.insert(identity).inserted else {
      fatalError("ViewModelStore: make(\(identity)) must not lease \(identity)")
    }
    defer { making.remove(identity) }
    // No other caller can make this view model, because nothing suspends between the lookup and the
    // insertion.
    return cache.insert(make(identity), for: identity, holder)
  }

  /// Returns a lease of the view model for an identity, or `nil` if there is no view model. Never
  /// makes a view model.
  ///
  /// - Parameters:
  ///   - identity: The identity of the view model.
  ///   - file: The file of the call. A flight recorder notes who holds the view model.
  ///   - line: The line of the call.
  public nonisolated func current(
    _ identity: Identity, file: StaticString = #fileID, line: UInt = #line
  ) -> ViewModelLease<Model>? {
    cache.lease(identity, cache.holder(file, line))
  }

  deinit { cache.close() }
}

/// Keeps one view model of a ``ViewModelStore`` in use.
///
/// A screen stores the lease in a property. The lease ends when its last reference is released, on
/// any thread.
///
/// - Important: In an optimized build, a local variable keeps a lease only until its last use. Use
///   ``hold(isolation:_:)`` there.
public final class ViewModelLease<Model: AnyObject & Sendable>: Sendable {
  /// The leased view model.
  public let model: Model
  private let end: @Sendable () -> Void

  init(_ model: Model, end: @escaping @Sendable () -> Void) {
    self.model = model
    self.end = end
  }

  /// Runs `body` with the view model, and keeps the lease until `body` returns or throws.
  ///
  /// ```swift
  /// await store.lease(7).hold { model in await model.load() }
  /// ```
  ///
  /// - Isolation: `body` runs on the caller's actor.
  /// - Throws: The error of `body`.
  public func hold<Output, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: (Model) async throws(Failure) -> Output
  ) async throws(Failure) -> Output {
    defer { withExtendedLifetime(self) {} }
    return try await body(model)
  }

  deinit { end() }
}

/// The numbers of view models and leases of a ``ViewModelStore`` at one moment.
package struct ViewModelCounts: Hashable, Sendable {
  /// The number of view models with at least one lease.
  package var inUse = 0
  /// The number of view models that have no lease and whose retention is running. Each has one
  /// task.
  package var retained = 0
  /// The number of leases of all view models.
  package var leases = 0

  package init(inUse: Int = 0, retained: Int = 0, leases: Int = 0) {
    self.inUse = inUse
    self.retained = retained
    self.leases = leases
  }

  /// The number of all view models, in use or retained.
  package var live: Int { inUse + retained }
}
