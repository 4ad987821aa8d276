import AsyncViewModels

actor NewsViewModel: ViewModelActor {
  nonisolated let modelState = ModelState(Loadable<[Article]>())
  private let service: any NewsService
  private let slot = TaskSlot(.join)

  init(service: any NewsService) { self.service = service }

  func load() async { await slot.load(into: self) { [service] in try await service.articles() } }
}

// The types that the example uses.

struct Article: Sendable {}

protocol NewsService: Sendable {
  func articles() async throws -> [Article]
}
