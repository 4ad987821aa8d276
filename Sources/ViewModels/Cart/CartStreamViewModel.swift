import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The cart, in the stream stage.
///
/// - Isolation: `queue` guards the completions, by convention; these are called on `callbackQueue`; ``state`` and ``states()`` may
///   be used from anywhere.
/// - Ordering: intents take effect in the order of the calls, after the call has returned; the service hears of the changes of one
///   product one after the other, of those of different products at once, and answers in any order.
/// - Cancellation: a change is never called off. The view model stays until its last change has been answered.
/// - Hazards: none of the closure stage in handing out state; its intents are still completion handlers.
public final class CartStreamViewModel: @unchecked Sendable {
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private let liveObject = LiveObjectToken(.viewModel, "CartStreamViewModel")
  private let queue = DispatchQueue(label: "CartStreamViewModel")
  private let callbackQueue: DispatchQueue
  private let service: (any CartClosureService)?
  private let store: ObservableState<CartState>
  private var completions: [PendingChange.ID: Completion] = [:]  // guarded by `queue`

  /// - Parameter service: has the last word on each change. Without one the cart is only this device's.
  public init(
    cart: Cart = Cart(), service: (any CartClosureService)? = nil, callbackQueue: DispatchQueue = .main
  ) {
    self.service = service
    self.callbackQueue = callbackQueue
    store = ObservableState(CartState(cart: cart, isConfirmed: service != nil))
  }

  public var state: CartState { store.value }

  /// A new observer: the current state, then the latest.
  public func states() -> AsyncStream<CartState> { store.stream() }

  /// Adds so many of a product. It is shown soon; `completion` is called once, when the service has answered.
  ///
  /// A failure is a ``/StorefrontDomain/CartError`` where a rule refuses it, or the service does, or refuses what it stands on; else what kept
  /// the service from answering. The cart is then as if the call had never been.
  public func add(_ product: Product, quantity: Int = 1, completion: @escaping Completion = { _ in }) {
    perform(.add(product, quantity: quantity), completion)
  }

  /// Makes the quantity of an item exactly this; 0 removes it. Fails as ``add(_:quantity:completion:)`` does.
  public func setQuantity(
    _ quantity: Int, of id: Product.ID, completion: @escaping Completion = { _ in }
  ) {
    perform(.setQuantity(quantity, of: id), completion)
  }

  /// Takes an item out. Fails as ``add(_:quantity:completion:)`` does.
  public func remove(_ id: Product.ID, completion: @escaping Completion = { _ in }) {
    perform(.remove(id), completion)
  }

  private func perform(_ intent: CartIntent, _ completion: @escaping Completion) {
    queue.async { [self] in
      do {
        let change = try store.update { state throws(CartError) in try state.begin(intent) }
        guard let change else { return complete(completion, .success(())) }
        completions[change.id] = completion
        if change.isDue { send(change) }
      } catch {
        complete(completion, .failure(error))
      }
    }
  }

  private func send(_ change: PendingChange) {
    guard let service else { return }
    runToCompletion {
      service.apply(change.change, completion: $0)
    } completion: { [self] result in
      // Not weakly: behind this change others may wait, which are shown already.
      queue.async { self.receive(result, for: change) }
    }
  }

  private func receive(_ result: Result<Void, any Error>, for change: PendingChange) {
    let turns =
      switch result {
      case .success: store.update { $0.confirm(change) }
      case .failure: store.update { $0.rollBack(change) }
      }
    settle(change.id, result)
    for turn in turns { take(turn) }
  }

  private func take(_ turn: CartTurn) {
    switch turn.result {
    case .success(let change): send(change)
    case .failure(let error): settle(turn.id, .failure(error))
    }
  }

  private func settle(_ id: PendingChange.ID, _ result: Result<Void, any Error>) {
    if let completion = completions.removeValue(forKey: id) { complete(completion, result) }
  }

  private func complete(_ completion: @escaping Completion, _ result: Result<Void, any Error>) {
    callbackQueue.async { completion(result) }
  }
}
