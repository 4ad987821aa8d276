package import AsyncViewModelsRequests
package import StorefrontDomain

/// What the cart's view model does after its state has changed.
package struct CartStep: Sendable {
  /// The changes to send now.
  package var requests: [CartRequest] = []
  /// The results of changes whose callers wait.
  package var results: [(change: CartState.Changes.ID, result: Result<Void, any Error>)] = []
  /// The change that has begun, whose caller waits for one result. `nil` without a service.
  package var change: CartState.Changes.ID?
}

package struct CartRequest: Sendable {
  package let id: CartState.Changes.ID
  package let unanswered: UnansweredChange
  package let account: AccountVersion

  func send(to service: any CartService) async throws {
    try await account.run { try await service.apply(unanswered.change, key: unanswered.key) }
  }

  func send(
    to service: any CartClosureService, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    account.run { service.apply(unanswered.change, key: unanswered.key, completion: completion) }
  }
}

/// An intent of the cart's screen. ``CartState`` has the rules.
package enum CartIntent: Sendable {
  case add(CatalogProduct, quantity: Int)
  case setQuantity(Int, of: CatalogProduct.ID)
  case remove(CatalogProduct.ID)

  var product: CatalogProduct.ID {
    switch self {
    case .add(let product, _): product.id
    case .setQuantity(_, let id), .remove(let id): id
    }
  }

  /// The wanted number of units, or `nil` if the intent adds units to the present ones.
  var quantity: Int? {
    switch self {
    case .add: nil
    case .setQuantity(let quantity, _): quantity
    case .remove: 0
    }
  }

  func apply(to cart: inout Cart) throws(CartError) -> CartChange {
    switch self {
    case .add(let product, let quantity): try cart.add(product, quantity: quantity)
    case .setQuantity(let quantity, let id): try cart.setQuantity(quantity, of: id)
    case .remove(let id): try cart.remove(id)
    }
  }
}

/// A change that waits for the service, with its key and the account of its shopper.
package struct CartEdit: OptimisticChange {
  private enum Origin {
    case intent(CartIntent)
    /// Made in an earlier run of the app.
    case saved(UnansweredChange)
  }

  package let key: IdempotencyKey
  package let account: AccountVersion
  private let origin: Origin

  package init(_ key: IdempotencyKey, _ intent: CartIntent, for account: AccountVersion) {
    self.key = key
    self.account = account
    origin = .intent(intent)
  }

  package init(_ unanswered: UnansweredChange, for account: AccountVersion) {
    key = unanswered.key
    self.account = account
    origin = .saved(unanswered)
  }

  package var orderingKey: CatalogProduct.ID {
    switch origin {
    case .intent(let intent): intent.product
    case .saved(let unanswered): unanswered.change.product.id
    }
  }

  package func apply(to cart: inout Cart) throws(CartError) -> UnansweredChange {
    switch origin {
    case .intent(let intent):
      return UnansweredChange(key: key, change: try intent.apply(to: &cart), quantity: intent.quantity)
    case .saved(let unanswered):
      guard let quantity = unanswered.quantity else {
        try cart.apply(unanswered.change)
        return unanswered
      }
      let change = try cart.setQuantity(quantity, of: unanswered.change.product.id)
      return UnansweredChange(key: key, change: change, quantity: quantity)
    }
  }

  package static func reapply(_ request: UnansweredChange, to cart: inout Cart) {
    cart.reapply(request.change)
  }
}

extension Error {
  /// Whether a change was refused. After any other error, the service may have made it.
  var isRefusal: Bool {
    switch self {
    case let error as ServiceError: error.isRefusal
    case let error as CartError: if case .unanswered = error { false } else { true }
    default: false
    }
  }
}
