public import StorefrontDomain
import Synchronization

/// What a storefront in memory is to do, and what it was asked: latencies, failures, refused products, a log.
///
/// - Isolation: none; every member may be used from anywhere, while calls are under way. A call follows the script as it
///   is when the call is made, and the refusals as they are when it is answered.
public final class StorefrontScript: Sendable {
  struct Failure {
    let error: any Error
    var remaining: Int
  }

  struct State {
    var calls: [StorefrontCall] = []
    var latencies: [StorefrontEndpoint: Duration] = [:]
    var failures: [StorefrontEndpoint: [Failure]] = [:]
    var refusals: [Product.ID: String] = [:]
    var cart: [Product.ID: Int] = [:]
    /// The profile as it was saved last; nil before that.
    var profile: Profile?
    var deletedPosts: Set<Post.ID> = []
  }

  /// How one call goes.
  struct Course {
    let latency: Duration
    let error: (any Error)?
  }

  let state = Mutex(State())

  /// A script under which every call succeeds, without delay.
  public init() {}

  /// Every call that was made, in order, whatever became of it.
  public var calls: [StorefrontCall] { state.withLock { $0.calls } }

  /// How many calls of one service were made.
  public func callCount(of endpoint: StorefrontEndpoint) -> Int {
    state.withLock { $0.calls.count { $0.endpoint == endpoint } }
  }

  /// Lets the next `count` calls fail with this error, after those failures that were scripted before.
  ///
  /// - Precondition: `count` is not negative.
  public func fail(_ endpoint: StorefrontEndpoint, next count: Int = 1, with error: any Error) {
    precondition(count >= 0, "StorefrontScript.fail: the number of calls is negative: \(count)")
    guard count > 0 else { return }
    state.withLock { $0.failures[endpoint, default: []].append(Failure(error: error, remaining: count)) }
  }

  /// Lets calls take this long from now on; all of them, unless endpoints are named.
  ///
  /// - Precondition: `latency` is not negative.
  public func delay(by latency: Duration, _ endpoints: StorefrontEndpoint...) {
    precondition(latency >= .zero, "StorefrontScript.delay: the latency is negative: \(latency)")
    state.withLock { state in
      for endpoint in endpoints.isEmpty ? StorefrontEndpoint.allCases : endpoints {
        state.latencies[endpoint] = latency
      }
    }
  }

  /// Refuses every change of the cart that concerns one of these products, with ``CartError/refused(_:reason:)``.
  public func refuse(_ products: Product.ID..., reason: String = "not for sale") {
    state.withLock { state in
      for id in products { state.refusals[id] = reason }
    }
  }

  /// Takes changes of these products on again.
  public func allow(_ products: Product.ID...) {
    state.withLock { state in
      for id in products { state.refusals[id] = nil }
    }
  }

  /// How many of a product the storefront's cart holds.
  public func cartQuantity(of id: Product.ID) -> Int {
    state.withLock { $0.cart[id] ?? 0 }
  }

  func begin(_ call: StorefrontCall) -> Course {
    state.withLock { state in
      state.calls.append(call)
      let endpoint = call.endpoint
      return Course(
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
