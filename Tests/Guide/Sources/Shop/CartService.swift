/// The part of the shop's server that the cart needs.
protocol CartService: AnyObject {
  /// Requests the cart.
  @discardableResult
  func cart(completion: @escaping (Result<[CartItem], Error>) -> Void) -> CartRequest

  /// Sets the quantities of the given items, and answers with the whole cart. A quantity of 0 removes an item.
  @discardableResult
  func save(
    _ changes: [CartItem], completion: @escaping (Result<[CartItem], Error>) -> Void
  ) -> CartRequest
}

/// A request that can be cancelled, as a `URLSessionDataTask` can.
final class CartRequest {
  private let onCancel: () -> Void

  init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  func cancel() { onCancel() }
}
