public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The view model of the cart, in the closure stage: completion handlers and one observer.
///
/// - Isolation: The private serial `queue` guards the waiting completion handlers; the compiler does not check this.
///   The observer and the completion handlers are called on `callbackQueue`.
/// - Ordering: Intents, the methods that ask the view model to act, take effect asynchronously, in the order of the calls. The
///   service receives the changes of one product one after another. Changes of different products are sent at the same time, and
///   the service may answer them in any order.
/// - Cancellation: A change is never cancelled. The view model stays alive until the service has answered the last change.
/// - Hazards: There is one observer, and a new binding replaces it. Observers and completion handlers keep alive the objects that
///   they capture strongly.
public final class CartClosureViewModel: @unchecked Sendable {
  /// Receives the result of a change: success, or the reason why the change failed.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private let store: CallbackState<CartState>
  private let liveObject = LiveObjectToken(.viewModel, "CartClosureViewModel")
  private let queue = DispatchQueue(label: "CartClosureViewModel")
  private let callbackQueue: DispatchQueue
  private let service: (any CartClosureService)?
  private var completions: [CartState.Changes.ID: Completion] = [:]  // guarded by `queue`

  /// Creates the view model of a cart.
  ///
  /// - Parameter service: Confirms or refuses each change. Without a service, the cart exists only on this device.
  public init(
    cart: Cart = Cart(), service: (any CartClosureService)? = nil, callbackQueue: DispatchQueue = .main
  ) {
    store = CallbackState(CartState(cart: cart, hasService: service != nil))
    self.callbackQueue = callbackQueue
    self.service = service
  }

  /// The current state. An intent that takes effect asynchronously may not be included yet.
  public var state: CartState { store.value }

  /// Sets the observer, in place of the previous one. The observer receives the current state and then every later state, on
  /// `callbackQueue`.
  ///
  /// - Returns: A token that removes the observer when the token is cancelled or released.
  public func bind(_ observer: @escaping @Sendable (CartState) -> Void) -> CancellationToken {
    store.bind(on: callbackQueue, observer)
  }

  /// Adds units of a product. The cart shows them without waiting for the service. `completion` is called once, when the change has
  /// succeeded or failed. Without a service, a change succeeds unless a rule of the cart refuses it.
  ///
  /// The change fails with a ``/StorefrontDomain/CartError`` if the service or a rule of the cart refuses the change. A rule can
  /// also refuse the change later, after an earlier change has failed. Any other failure is the error of the request. A failed
  /// change is rolled back.
  public func add(_ product: CatalogProduct, quantity: Int = 1, completion: @escaping Completion = { _ in }) {
    perform(.add(product, quantity: quantity), completion)
  }

  /// Sets the quantity of an item. A quantity of 0 removes the item. Fails as ``add(_:quantity:completion:)`` does.
  public func setQuantity(
    _ quantity: Int, of id: CatalogProduct.ID, completion: @escaping Completion = { _ in }
  ) {
    perform(.setQuantity(quantity, of: id), completion)
  }

  /// Removes an item. Fails as ``add(_:quantity:completion:)`` does.
  public func remove(_ id: CatalogProduct.ID, completion: @escaping Completion = { _ in }) {
    perform(.remove(id), completion)
  }

  private func perform(_ intent: CartIntent, _ completion: @escaping Completion) {
    queue.async { [self] in
      do {
        let change = try store.update { state throws(CartError) in try state.begin(intent) }
        guard let change else { return complete(completion, .success(())) }
        completions[change] = completion
        if let turn = state.turn(of: change) { take(turn) }
      } catch {
        complete(completion, .failure(error))
      }
    }
  }

  private func take(_ turn: CartState.Changes.Turn) {
    switch turn.result {
    case .success(let request): send(request, for: turn.id)
    case .failure(let error): receive(.failure(error), for: turn.id)
    }
  }

  private func send(_ request: CartChange, for change: CartState.Changes.ID) {
    guard let service else { return }
    runToCompletion {
      service.apply(request, key: IdempotencyKey(), completion: $0)
    } completion: { [self] result in
      // Captures `self` strongly: other changes, which the cart already shows, may wait for this one.
      queue.async { self.receive(result, for: change) }
    }
  }

  private func receive(_ result: Result<Void, any Error>, for change: CartState.Changes.ID) {
    let turns =
      switch result {
      case .success: store.update { $0.confirm(change) }
      case .failure: store.update { $0.rollBack(change) }
      }
    if let completion = completions.removeValue(forKey: change) { complete(completion, result) }
    for turn in turns { take(turn) }
  }

  private func complete(_ completion: @escaping Completion, _ result: Result<Void, any Error>) {
    callbackQueue.async { completion(result) }
  }
}
