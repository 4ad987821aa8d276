import AsyncViewModels
import AsyncViewModelsRequests
import StorefrontDomain
import StorefrontViewModels
import Testing

/// A cart's state with the requests that it has made, so that a test can answer them by their keys.
struct AnsweredCart {
  static let nail = CatalogProduct(
    id: 1, name: "Nail", price: Money(minorUnits: 1, currency: .usd), stock: 100)
  static let screw = CatalogProduct(
    id: 2, name: "Screw", price: Money(minorUnits: 2, currency: .usd), stock: 100)

  /// A change that is due, or that a rule has refused while it waited.
  struct Turn {
    let id: IdempotencyKey
    let result: Result<CartChange, any Error>
  }

  private(set) var state: CartState
  private(set) var requests: [IdempotencyKey: CartRequest] = [:]

  init(_ saved: SavedCart = SavedCart(), hasService: Bool = true) {
    state = CartState(saved, hasService: hasService)
  }

  var cart: Cart { state.cart }
  var pendingCount: Int { state.pendingCount }

  /// Makes a change. Returns its key.
  @discardableResult
  mutating func begin(_ intent: CartIntent) throws(CartError) -> IdempotencyKey {
    let pendingBefore = pendingCount
    let step = try state.begin(intent)
    // No request has the key of a change without effect, or of one without a service.
    let pending = pendingCount > pendingBefore ? state.saved.unanswered.last : nil
    let key = pending?.key ?? IdempotencyKey()
    if let change = step.change { keys[change] = key }
    _ = note(step)
    return key
  }

  /// The turn of a change whose request has been made and not been answered.
  func turn(of key: IdempotencyKey) -> Turn? {
    requests[key].map { Turn(id: key, result: .success($0.unanswered.change)) }
  }

  func isDue(_ key: IdempotencyKey) -> Bool { requests[key] != nil }

  @discardableResult
  mutating func confirm(_ key: IdempotencyKey) -> [Turn] { answer(key, .success(())) }

  @discardableResult
  mutating func rollBack(_ key: IdempotencyKey) -> [Turn] {
    answer(key, .failure(ServiceError.notFound("refused")))
  }

  /// Answers the request of a change. Returns the changes that this makes due, and the changes that a rule refuses.
  @discardableResult
  mutating func answer(_ key: IdempotencyKey, _ result: Result<Void, any Error>) -> [Turn] {
    guard let request = answered[key] ?? requests[key] else { return [] }
    requests[key] = nil
    answered[key] = request
    let step = state.receive(TaskOutcome(result), for: request)
    return note(step).filter { $0.id != key }
  }

  mutating func discardUnanswered() { _ = note(state.discardUnanswered()) }
  mutating func load() { _ = note(state.beginLoad()) }
  mutating func beginCartRequest() -> Bool { state.beginCartRequest() }
  mutating func receiveCart(_ outcome: TaskOutcome<Cart>) { state.receiveCart(outcome) }
  mutating func receive(_ update: ProductUpdate) { state.receive(update) }

  private var answered: [IdempotencyKey: CartRequest] = [:]
  private var keys: [CartState.Changes.ID: IdempotencyKey] = [:]

  private mutating func note(_ step: CartStep) -> [Turn] {
    let refused = step.results.compactMap { change, result in
      if case .failure(let error) = result { Turn(id: keys[change]!, result: .failure(error)) } else { nil }
    }
    for request in step.requests { requests[request.unanswered.key] = request }
    return refused
      + step.requests.map { Turn(id: $0.unanswered.key, result: .success($0.unanswered.change)) }
  }
}

extension [AnsweredCart.Turn] {
  /// Requires `count` turns, and returns the last one with its request.
  func due(_ count: Int) throws -> (id: IdempotencyKey, request: CartChange) {
    try #require(self.count == count)
    return (self[count - 1].id, try self[count - 1].result.get())
  }
}

extension Cart {
  /// A cart with these products and quantities.
  init(_ items: (CatalogProduct, Int)...) throws {
    self.init()
    for (product, quantity) in items { try add(product, quantity: quantity) }
  }
}
