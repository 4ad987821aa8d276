public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// A cart that several screens share, as the view model of another screen sees it.
///
/// The view model of a screen needs this protocol and not a stage of the cart, so that a team can migrate the cart and each screen in
/// any order. ``CartViewModel`` is such a cart. A cart of another stage becomes one with ``SharedClosureCart/asAsync``.
public protocol SharedCart: Sendable {
  /// The current state. A view model reads it while it holds a lock, so the property must not wait for a queue.
  var state: CartState { get }

  /// Creates an observer that receives the current state first, and then later states.
  func states(_ buffering: BufferingPolicy) -> AsyncStream<CartState>

  /// Adds units of a product. The cart shows them without waiting for the service. The call returns when the change has succeeded.
  ///
  /// - Throws: A ``/StorefrontDomain/CartError`` if the change fails, or is not confirmed yet. A cancelled caller also waits.
  func add(_ product: CatalogProduct, quantity: Int) async throws
}

/// The completion-handler form of ``SharedCart``.
///
/// ``CartStreamViewModel`` is such a cart. ``CartRelay`` makes one of a ``CartClosureViewModel``, which has only one observer. A cart of
/// the async stage becomes one with ``SharedCart/asClosure``.
public protocol SharedClosureCart: Sendable {
  /// The current state. A view model reads it while it holds a lock, so the property must not wait for a queue.
  var state: CartState { get }

  /// Creates an observer that receives the current state first, and then later states, on `queue`.
  ///
  /// - Returns: A token that removes the observer when the token is cancelled or released.
  func observe(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (CartState) -> Void
  ) -> CancellationToken

  /// Adds units of a product. The cart shows them without waiting for the service.
  ///
  /// `completion` is called once, on an unspecified queue, when the change has succeeded or failed. The error
  /// of a change that fails, or is not confirmed yet, is a ``/StorefrontDomain/CartError``.
  func add(
    _ product: CatalogProduct, quantity: Int,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void)
}

extension CartViewModel: SharedCart {}

extension CartStreamViewModel: SharedClosureCart {
  /// Creates an observer that receives the current state first, and then later states, on `queue`. A slow observer receives only the
  /// latest state.
  public func observe(
    on queue: DispatchQueue, _ observer: @escaping @Sendable (CartState) -> Void
  ) -> CancellationToken {
    deliver(states(), on: queue, to: observer)
  }
}

/// A cart of the closure stage that several screens share.
///
/// The relay binds the cart, which has one observer, and passes its states on. If another screen binds the cart itself, the observers
/// of the relay receive no more states.
public final class CartRelay: SharedClosureCart {
  private let cart: CartClosureViewModel
  private let states: CallbackRelay<CartState>

  /// Creates a relay, and binds the cart.
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
  /// Each change begins in a task, so changes that are made shortly after one another can reach the cart in another order.
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
    // Calls the cart at once. A cancelled caller must wait, because the change cannot be cancelled.
    try await withCheckedThrowingContinuation { continuation in
      runToCompletion {
        base.add(product, quantity: quantity, completion: $0)
        return .ended
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
    deliver(base.states(.latest), on: queue, to: observer)
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
