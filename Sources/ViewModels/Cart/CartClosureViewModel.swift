public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The cart, in the closure stage.
///
/// - Isolation: `queue` guards the state and the completions, by convention; these and the observer are called on `callbackQueue`.
/// - Ordering: intents take effect in the order of the calls, after the call has returned; the service hears of the changes of one
///   product one after the other, of those of different products at once, and answers in any order.
/// - Cancellation: a change is never called off. The view model stays until its last change has been answered.
/// - Hazards: one observer, the last binding wins; ``state`` waits for the queue, and deadlocks on it.
public final class CartClosureViewModel: @unchecked Sendable {
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private let liveObject = LiveObjectToken(.viewModel, "CartClosureViewModel")
  private let queue = DispatchQueue(label: "CartClosureViewModel")
  private let callbackQueue: DispatchQueue
  private let service: (any CartClosureService)?
  private let binding: CallbackState<CartState>
  private var current: CartState  // guarded by `queue`
  private var completions: [PendingChange.ID: Completion] = [:]  // guarded by `queue`

  /// - Parameter service: has the last word on each change. Without one the cart is only this device's.
  public init(
    cart: Cart = Cart(), service: (any CartClosureService)? = nil, callbackQueue: DispatchQueue = .main
  ) {
    self.service = service
    self.callbackQueue = callbackQueue
    current = CartState(cart: cart, isConfirmed: service != nil)
    binding = CallbackState(current)
  }

  public var state: CartState { queue.sync { current } }

  /// Makes `observer` the one observer: the current state, then every later one, on the callback queue.
  public func bind(_ observer: @escaping @Sendable (CartState) -> Void) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
  }

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
        let change = try current.begin(intent)
        binding.send(current)
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
      case .success: current.confirm(change)
      case .failure: current.rollBack(change)
      }
    binding.send(current)
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
