// A service with a handler of each form.
import AsyncViewModels
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

/// The async twin of `OrdersService`.
protocol AsyncOrdersService: Sendable {
  /// Loads a page.
  ///
  /// - Parameter page: The number of the page.
  func orders(page: Int) async throws -> [Order]
  func search(_ query: String) async throws -> [Order]
  func note(of id: Int) async throws -> String
  func delete(_ id: Int) async throws
  func refresh() async throws
  func count(since date: Date) async throws -> Int?
  func pay(_ order: Order) async throws -> String
  func cached() -> [Order]
  var isOnline: Bool { get }
}

/// Makes async functions from the completion handlers of `OrdersService`.
// TODO: [migrate] Can each `OrdersService` be called on any thread? Then make it `Sendable`, and
// delete `@unchecked`.
struct OrdersServiceAdapter: AsyncOrdersService, @unchecked Sendable {
  let service: any OrdersService

  func orders(page: Int) async throws -> [Order] {
    try await withCompletionHandler { completion in
      service.orders(page: page, completion: completion)
      return .finished
    }
  }

  // TODO: [migrate] `RemoteOrders.search` may not call `completion` if it is released. Pass a
  // `deadline:`?
  func search(_ query: String) async throws -> [Order] {
    try await withCompletionHandler { completion in
      nonisolated(unsafe) let request = service.search(query, completion: completion)
      return CancellationToken { request?.cancel() }
    }
  }

  func note(of id: Int) async throws -> String {
    try await withCompletionHandler(valueAndError: { completion in
      service.note(of: id, completion: completion)
      return .finished
    })
  }

  func delete(_ id: Int) async throws {
    try await withCompletionHandler(error: { completion in
      service.delete(id, completion: completion)
      return .finished
    })
  }

  func refresh() async throws {
    try await withCompletionHandler { completion in
      service.refresh(completion: { completion(.success(())) })
      return .finished
    }
  }

  func count(since date: Date) async throws -> Int? {
    try await withCompletionHandler { completion in
      service.count(since: date, completionHandler: { completion(.success($0)) })
      return .finished
    }
  }

  func pay(_ order: Order) async throws -> String {
    try await withCompletionHandler { completion in
      service.pay(
        order, onSuccess: { completion(.success($0)) }, onFailure: { completion(.failure($0)) })
      return .finished
    }
  }

  func cached() -> [Order] {
    service.cached()
  }

  var isOnline: Bool { service.isOnline }
}

/// Calls completion handlers with the results of `AsyncOrdersService`.
struct AsyncOrdersServiceAdapter: OrdersService {
  let service: any AsyncOrdersService
  /// The queue on which completion handlers are called.
  let queue: DispatchQueue

  func orders(page: Int, completion: @escaping OrdersHandler) {
    nonisolated(unsafe) let completion = completion  // Called once.
    Task {
      let result = await Result { try await service.orders(page: page) }
      queue.async { completion(result) }
    }
  }

  @discardableResult func search(
    _ query: String, completion: @escaping (Result<[Order], Error>) -> Void
  ) -> Cancellable? {
    nonisolated(unsafe) let completion = completion  // Called once.
    let task = Task {
      let result = await Result { try await service.search(query) }
      queue.async { completion(result) }
    }
    return task
  }

  func note(of id: Int, completion: @escaping (String?, Error?) -> Void) {
    nonisolated(unsafe) let completion = completion  // Called once.
    Task {
      let result = await Result { try await service.note(of: id) }
      queue.async {
        switch result {
        case .success(let value): completion(value, nil)
        case .failure(let error): completion(nil, error)
        }
      }
    }
  }

  func delete(_ id: Int, completion: @escaping (Error?) -> Void) {
    nonisolated(unsafe) let completion = completion  // Called once.
    Task {
      let result = await Result { try await service.delete(id) }
      queue.async {
        switch result {
        case .success: completion(nil)
        case .failure(let error): completion(error)
        }
      }
    }
  }

  func refresh(completion: @escaping () -> Void) {
    nonisolated(unsafe) let completion = completion  // Called once.
    Task {
      _ = await Result { try await service.refresh() }
      queue.async { completion() }
    }
  }

  func count(since date: Date, completionHandler: @escaping (Int?) -> Void) {
    nonisolated(unsafe) let completionHandler = completionHandler  // Called once.
    Task {
      let result = await Result { try await service.count(since: date) }
      queue.async { completionHandler(try? result.get()) }
    }
  }

  func pay(
    _ order: Order,
    onSuccess success: @escaping (String) -> Void,
    onFailure failure: @escaping (Error) -> Void
  ) {
    nonisolated(unsafe) let success = success  // Called once.
    nonisolated(unsafe) let failure = failure  // Called once.
    Task {
      let result = await Result { try await service.pay(order) }
      queue.async {
        switch result {
        case .success(let value): success(value)
        case .failure(let error): failure(error)
        }
      }
    }
  }

  func cached() -> [Order] {
    service.cached()
  }

  var isOnline: Bool { service.isOnline }
}

extension Task: Cancellable where Success == Void, Failure == Never {}

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
