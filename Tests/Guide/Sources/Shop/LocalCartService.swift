import Dispatch

/// A cart in memory, for the demo mode of the app.
final class LocalCartService: CartService {
  private let queue = DispatchQueue(label: "LocalCartService")
  private var items: [CartItem]

  init(_ items: [CartItem] = []) { self.items = items }

  func cart(completion: @escaping (Result<[CartItem], Error>) -> Void) -> CartRequest {
    save([], completion: completion)
  }

  func save(
    _ changes: [CartItem], completion: @escaping (Result<[CartItem], Error>) -> Void
  ) -> CartRequest {
    queue.async {
      self.items = self.items.applying(changes)
      completion(.success(self.items))
    }
    return CartRequest {}
  }
}
