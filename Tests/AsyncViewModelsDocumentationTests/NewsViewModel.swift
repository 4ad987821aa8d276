import AsyncViewModels

protocol NewsService: Sendable {
  func headlines() async throws -> [String]
}

actor NewsViewModel: ViewModelActor {
  nonisolated let modelState = ModelState(Loadable<[String]>())
  private let service: any NewsService
  private let slot = TaskSlot(.join)

  init(service: any NewsService) { self.service = service }

  func load() async { await slot.load(into: self) { [service] in try await service.headlines() } }
}
