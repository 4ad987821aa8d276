import AsyncViewModels
public import StorefrontDomain
import Synchronization

/// The latencies, failures and rejected products of an in-memory storefront, a log of its calls, and the data
/// that calls have changed.
///
/// - Isolation: None. Use every member from any thread, even while calls are running.
/// - Ordering: The latency and the failure of a call are determined when the call starts. Rejections are
///   checked when the call responds.
public final class StorefrontScript: Sendable {
  struct Failure {
    let error: any Error
    var remaining: Int
  }

  struct State {
    var calls: [StorefrontCall] = []
    var latencies: [StorefrontEndpoint: Duration] = [:]
    var failures: [StorefrontEndpoint: [Failure]] = [:]
    var refusals: [CatalogProduct.ID: String] = [:]
    var cart: [CatalogProduct.ID: Int] = [:]
    /// The last saved profile. `nil` before the first save.
    var profile: Profile?
    var deletedPosts: Set<Post.ID> = []
  }

  /// The latency and the failure of one call.
  struct Behavior {
    let latency: Duration
    let error: (any Error)?
  }

  let state = Mutex(State())

  /// Creates a script without latencies, failures and rejected products.
  public init() {}

  /// All calls in the order in which they started, including failed and cancelled calls.
  public var calls: [StorefrontCall] { state.withLock { $0.calls } }

  /// The number of calls of one operation.
  public func callCount(of endpoint: StorefrontEndpoint) -> Int {
    state.withLock { $0.calls.count { $0.endpoint == endpoint } }
  }

  /// Makes the next `count` calls of an operation fail with an error. Failures that were scripted before are
  /// used up first.
  ///
  /// - Precondition: `count` is not negative.
  public func fail(_ endpoint: StorefrontEndpoint, next count: Int = 1, with error: any Error) {
    precondition(count >= 0, "StorefrontScript.fail: the count must not be negative, but is \(count)")
    guard count > 0 else { return }
    state.withLock { $0.failures[endpoint, default: []].append(Failure(error: error, remaining: count)) }
  }

  /// Sets the latency of future calls of the given operations. If no operation is given, sets the latency of
  /// all operations.
  ///
  /// - Precondition: `latency` is not negative.
  public func delay(by latency: Duration, _ endpoints: StorefrontEndpoint...) {
    precondition(
      latency >= .zero, "StorefrontScript.delay: the latency must not be negative, but is \(latency)")
    state.withLock { state in
      for endpoint in endpoints.isEmpty ? StorefrontEndpoint.allCases : endpoints {
        state.latencies[endpoint] = min(latency, .longestDelay)
      }
    }
  }

  /// Rejects every cart change of these products.
  ///
  /// The changes fail with ``/StorefrontDomain/CartError/refused(_:reason:)``.
  public func refuse(_ products: CatalogProduct.ID..., reason: String = "not for sale") {
    state.withLock { state in
      for id in products { state.refusals[id] = reason }
    }
  }

  /// Accepts cart changes of these products again.
  public func allow(_ products: CatalogProduct.ID...) {
    state.withLock { state in
      for id in products { state.refusals[id] = nil }
    }
  }

  /// The number of units of a product in the storefront's cart.
  public func cartQuantity(of id: CatalogProduct.ID) -> Int {
    state.withLock { $0.cart[id] ?? 0 }
  }

  func begin(_ call: StorefrontCall) -> Behavior {
    state.withLock { state in
      state.calls.append(call)
      let endpoint = call.endpoint
      return Behavior(
        latency: state.latencies[endpoint] ?? .zero, error: state.failures[endpoint]?.takeNext()?.error)
    }
  }

  func apply(_ change: CartChange, to contents: StorefrontContents) throws(CartError) {
    let id = change.product.id
    guard let product = contents.products.first(where: { $0.id == id }) else { throw .unknownProduct(id) }
    try state.withLock { state throws(CartError) in
      if let reason = state.refusals[id] { throw .refused(id, reason: reason) }
      let present = state.cart[id] ?? 0
      let (quantity, overflow) = present.addingReportingOverflow(change.delta)
      guard !overflow, quantity <= product.stock else {
        throw .refused(id, reason: "only \(product.stock) in stock, \(present) of them in the cart")
      }
      guard quantity >= 0 else { throw .refused(id, reason: "only \(present) in the cart") }
      state.cart[id] = quantity
    }
  }
}

extension [StorefrontScript.Failure] {
  fileprivate mutating func takeNext() -> Element? {
    guard let next = first else { return nil }
    self[0].remaining -= 1
    if self[0].remaining == 0 { removeFirst() }
    return next
  }
}

extension StorefrontScript {
  /// The posts that have not been deleted.
  func posts(of contents: StorefrontContents) -> [Post] {
    let deleted = state.withLock { $0.deletedPosts }
    return contents.posts.filter { !deleted.contains($0.id) }
  }

  func delete(_ id: Post.ID, of contents: StorefrontContents) throws(PostError) {
    guard contents.posts.contains(where: { $0.id == id }) else { throw .unknownPost(id) }
    try state.withLock { state throws(PostError) in
      guard state.deletedPosts.insert(id).inserted else { throw .unknownPost(id) }
    }
  }
}

extension StorefrontScript {
  /// The current profile.
  func profile(of contents: StorefrontContents) -> Profile {
    state.withLock { $0.profile ?? contents.profile }
  }

  func save(
    _ draft: Profile.Draft, basedOn version: Int, in contents: StorefrontContents
  ) throws(ProfileError) -> Profile {
    try state.withLock { state throws(ProfileError) in
      let saved = try (state.profile ?? contents.profile).replaced(by: draft, basedOn: version)
      state.profile = saved
      return saved
    }
  }
}
