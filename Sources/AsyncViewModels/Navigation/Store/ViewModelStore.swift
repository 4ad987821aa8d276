/// Exactly one view model for each identity: the same one for everybody who uses it at the same time, and for whoever comes back
/// soon.
///
/// ```swift
/// let details = ViewModelStore { id in ProductDetailViewModel(itemID: id, source: .list, service: service) }
/// let lease = await details.lease(7)  // a screen keeps this, and uses `lease.model`
/// ```
///
/// - Promises: a view model is made when the first user comes, and let go `grace` after the last one has left. Whoever comes within
///   the grace gets the same one; whether that or the end of the grace comes first, nobody gets one that was let go.
/// - Isolation: `make` runs on the store's host, one call at a time, under no lock; a store on the main actor is used from there
///   synchronously, through `assumeIsolated`. Leases end on any thread, and ``counts`` and ``current(_:)`` may be used from anywhere.
/// - Cancellation: the end of the store ends every grace. View models that are in use live as long as their leases.
/// - Cost: O(1) for a lease; a task for each view model in its grace, which ends with it.
public actor ViewModelStore<Identity: Hashable & Sendable, Model: AnyObject & Sendable> {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private nonisolated let host: ActorHost
  private nonisolated let shelf: ViewModelCache<Identity, Model>
  private let make: @Sendable (Identity) -> Model
  private var making: Set<Identity> = []

  /// - Parameters:
  ///   - grace: how long a view model outlives its last user. Without one it goes at once.
  ///   - make: makes the view model of an identity. It must not ask the store for the same one.
  /// - Precondition: `grace` is not negative.
  public init(
    retention: Duration = .seconds(5), clock: any Clock<Duration> = ContinuousClock(),
    isolation: any Actor = Isolation(), make: @escaping @Sendable (Identity) -> Model
  ) {
    guard retention >= .zero else { fatalError("ViewModelStore: the grace is negative: \(retention)") }
    host = ActorHost(isolation)
    shelf = ViewModelCache(retention: retention, clock: clock)
    self.make = make
  }

  /// What there is, at one moment.
  public nonisolated var counts: ViewModelCounts { shelf.counts }

  /// The view model of an identity, for one more user; made where there is none. It is in use until the lease goes away.
  ///
  /// - Precondition: not called by `make` for the identity that is being made.
  public func lease(_ identity: Identity) -> ViewModelLease<Model> {
    if let lease = shelf.lease(identity) { return lease }
    guard making.insert(identity).inserted else {
      fatalError("ViewModelStore: making \(identity) asks for \(identity) itself")
    }
    defer { making.remove(identity) }
    // Nobody else can make it meanwhile: there is no suspension between the look and the insertion.
    return shelf.insert(make(identity), for: identity)
  }

  /// The view model of an identity, for one more user, where there is one: in use or in its grace. Nothing is made.
  public nonisolated func current(_ identity: Identity) -> ViewModelLease<Model>? { shelf.lease(identity) }

  deinit { shelf.close() }
}
