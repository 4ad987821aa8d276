import AsyncViewModels
import StorefrontDomain
import StorefrontTesting
import Synchronization

/// An item that calls a handler of its service when it is released.
final class ReleasedItem: Identifiable, Equatable, WireHit {
  let id = 1
  private let service: ItemService

  init(_ service: ItemService) { self.service = service }

  /// Items cannot be sent over HTTP: the service of an item is in the process of the test.
  init(_ hit: SearchHit) { preconditionFailure("an item of another process") }
  var hit: SearchHit { preconditionFailure("an item for another process") }

  static func == (first: ReleasedItem, second: ReleasedItem) -> Bool { first === second }

  deinit { service.release() }
}

/// A service that answers each request at once with a new item.
final class ItemService: Sendable {
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets the handler that the `deinit` of each item calls.
  func onRelease(_ handler: (@Sendable () -> Void)?) {
    self.handler.exchange(handler)
  }

  fileprivate func release() { handler.withLock { $0 }?() }

  /// The first of two pages, or the last one. Both contain the same item.
  fileprivate func answer(to request: PageRequest) -> Page<ReleasedItem> {
    Page([ReleasedItem(self)], cursor: request.isFirst ? "next" : nil)
  }
}

extension ItemService: PageService, PageClosureService {
  func page(_ request: PageRequest) async throws -> Page<ReleasedItem> { answer(to: request) }
  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<ReleasedItem>, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(answer(to: request)))
    return .finished
  }
}

extension ItemService: SearchService, SearchClosureService {
  func results(for query: String, page: PageRequest) async throws -> Page<ReleasedItem> { answer(to: page) }
  func results(
    for query: String, page: PageRequest,
    completion: @escaping @Sendable (Result<Page<ReleasedItem>, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(answer(to: page)))
    return .finished
  }
}
