import AsyncViewModels
import AsyncViewModelsSimulation
import StorefrontDomain
import StorefrontTesting

/// Products in the order of their numbers, page by page. A page is late, may fail, and may ignore cancellation.
struct ShakyRows: PageService, PageClosureService {
  let world: SimulatedWorld
  var count = 5
  var fails = true

  func page(_ request: PageRequest) async throws -> Page<CatalogProduct> {
    if world.flip() { await world.faults.deafLatency() } else { try await world.faults.latency() }
    if fails { try world.faults.failure(ServiceError.timedOut) }
    return Page(request, of: (0..<count).map { CatalogProduct($0) })
  }

  func page(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page<CatalogProduct>, any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { try await page(request) }
  }
}
