import AsyncViewModels
import Dispatch
import StorefrontDomain

/// A service that answers every request without the test: after a suspension or on a global queue.
struct AnsweringPageService: PageService, PageClosureService {
  let rows: [Row]

  func page(_ request: PageRequest) async throws -> Page<Row> {
    await Task.yield()
    try Task.checkCancellation()
    return Page(request, of: rows)
  }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<Row>, any Error>) -> Void
  ) -> CancellationToken {
    DispatchQueue.global().async { completion(.success(Page(request, of: rows))) }
    return .finished
  }
}
