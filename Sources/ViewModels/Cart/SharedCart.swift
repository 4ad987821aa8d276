public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// A cart that several screens share, as their view models see it: any stage can migrate first.
///
/// ``CartViewModel`` conforms. ``SharedClosureCart/asAsync`` converts a cart of another stage.
public protocol SharedCart: Sendable {
  /// The current state. A view model reads it under a lock, so it must not wait for a queue.
  var state: CartState { get }

  /// Creates an observer of the current and later states.
  func states(_ buffering: BufferingPolicy) -> AsyncStream<CartState>

  /// Adds units, and returns after success. A cancelled caller also waits.
  ///
  /// - Throws: A ``/StorefrontDomain/CartError`` if the change fails or stays unanswered.
  func add(_ product: CatalogProduct, quantity: Int) async throws
}

/// The completion-handler form of ``SharedCart``.
///
/// ``CartStreamViewModel`` conforms. ``CartRelay`` shares a ``CartClosureViewModel``, which has one
/// observer. ``SharedCart/asClosure`` converts a cart of the async stage.
public protocol SharedClosureCart: Sendable {
  /// The current state. A view model reads it under a lock, so it must not wait for a queue.
  var state: CartState { get }

  /// Observes the current and later states on `queue`, until the token is cancelled or released.
  func observe(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (CartState) -> Void
  ) -> CancellationToken

  /// Adds units of a product. `completion` is called once, on any queue. See
  /// ``SharedCart/add(_:quantity:)``.
  func add(
    _ product: CatalogProduct, quantity: Int,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void)
}

extension CartViewModel: SharedCart {}

extension CartStreamViewModel: SharedClosureCart {
  /// Observes the current and later states on `queue`. A slow observer receives only the latest.
  public func observe(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (CartState) -> Void
  ) -> CancellationToken {
    states().observe(on: queue, observer)
  }
}

/// Shares a cart of the closure stage, as its one observer, among several screens.
///
/// If a screen binds the cart itself, the observers of the relay receive no more states.
public final class CartRelay: SharedClosureCart {
  private let cart: CartClosureViewModel
  private let states: CallbackRelay<CartState>

  /// Binds the cart.
  public init(_ cart: CartClosureViewModel) {
    self.cart = cart
    states = CallbackRelay(cart.state) { cart.bind($0) }
  }

  public var state: CartState { cart.state }

  public func observe(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (CartState) -> Void
  ) -> CancellationToken {
    states.observe(on: queue, observer)
  }

  public func add(
    _ product: CatalogProduct, quantity: Int,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    cart.add(product, quantity: quantity, completion: completion)
  }
}

extension SharedClosureCart {
  /// The async form of this cart.
  public var asAsync: some SharedCart { AsyncSharedCart(base: self) }
}

extension SharedCart {
  /// The completion-handler form of this cart.
  ///
  /// Each change begins in a task, so quick changes can reach the cart in another order.
  public var asClosure: some SharedClosureCart { ClosureSharedCart(base: self) }
}

private struct AsyncSharedCart<Base: SharedClosureCart>: SharedCart {
  let base: Base
  private let queue = DispatchQueue(label: "SharedCart")

  init(base: Base) { self.base = base }

  var state: CartState { base.state }

  func states(_ buffering: BufferingPolicy) -> AsyncStream<CartState> {
    AsyncStream(buffering: buffering) { base.observe(on: queue, $0) }
  }

  func add(_ product: CatalogProduct, quantity: Int) async throws {
    // Calls the cart at once. A cancelled caller must wait: the change cannot be cancelled.
    try await withCheckedThrowingContinuation { continuation in
      runToCompletion {
        base.add(product, quantity: quantity, completion: $0)
        return .finished
      } completion: {
        continuation.resume(with: $0)
      }
    }
  }
}

private struct ClosureSharedCart<Base: SharedCart>: SharedClosureCart {
  let base: Base

  var state: CartState { base.state }

  func observe(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (CartState) -> Void
  ) -> CancellationToken {
    base.states(.latest).observe(on: queue, observer)
  }

  func add(
    _ product: CatalogProduct, quantity: Int,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    runToCompletion(
      { performForAccount(completion: $0) { [base] in try await base.add(product, quantity: quantity) } },
      completion: completion)
  }
}
