// A service with a handler of each form.
import Foundation

struct Order: Sendable {
  var id: Int
}

protocol Cancellable {
  func cancel()
}

typealias OrdersHandler = (Result<[Order], Error>) -> Void

protocol OrdersService {
  /// Loads a page.
  ///
  /// - Parameter page: The number of the page.
  /// - Parameter completion: Receives the orders.
  func orders(page: Int, completion: @escaping OrdersHandler)

  @discardableResult
  func search(_ query: String, completion: @escaping (Result<[Order], Error>) -> Void) -> Cancellable?

  func note(of id: Int, completion: @escaping (String?, Error?) -> Void)
  func delete(_ id: Int, completion: @escaping (Error?) -> Void)  // no way back
  func refresh(completion: @escaping () -> Void)
  func count(
    since date: Date,
    completionHandler: @escaping (Int?) -> Void
  )
  func pay(_ order: Order, onSuccess success: @escaping (String) -> Void, onFailure failure: @escaping (Error) -> Void)
  func cached() -> [Order]
  var isOnline: Bool { get }
}

final class RemoteOrders: OrdersService {
  private let queue = DispatchQueue(label: "orders")

  func orders(page: Int, completion: @escaping OrdersHandler) {
    queue.async { completion(.success([])) }
  }

  func search(_ query: String, completion: @escaping (Result<[Order], Error>) -> Void) -> Cancellable? {
    queue.async { [weak self] in
      guard let self else { return }
      completion(.success(self.cached()))
    }
    return nil
  }

  func note(of id: Int, completion: @escaping (String?, Error?) -> Void) { completion("", nil) }
  func delete(_ id: Int, completion: @escaping (Error?) -> Void) { completion(nil) }
  func refresh(completion: @escaping () -> Void) { completion() }
  func count(since date: Date, completionHandler: @escaping (Int?) -> Void) { completionHandler(0) }
  func pay(_ order: Order, onSuccess success: @escaping (String) -> Void, onFailure failure: @escaping (Error) -> Void) {
    success("")
  }
  func cached() -> [Order] { [] }
  var isOnline: Bool { true }
}
