import AsyncViewModels
import Dispatch
import StorefrontDomain

/// A service that answers every request without the test: after a suspension or on a global queue.
struct AnsweringPageService: PageService, PageClosureService {
  let rows: [CatalogProduct]

  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    await Task.yield()
    try Task.checkCancellation()
    return Page(request, of: rows)
  }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    DispatchQueue.global().async { completion(.success(Page(request, of: rows))) }
    return .finished
  }
}
