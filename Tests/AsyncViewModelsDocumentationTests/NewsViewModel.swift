import AsyncViewModels

actor NewsViewModel: ViewModelActor {
  nonisolated let modelState = ModelState(ViewState<[Article]>.idle)
  private let service: any NewsService
  private let slot = TaskSlot(.join)

  init(service: any NewsService) { self.service = service }

  func load() async {
    let before = state
    if before.value == nil { store.send(.loading) }
    await slot.run(on: self) { [service] in
      try await service.articles()
    } commit: { model, outcome in
      switch outcome {
      case .success(let articles): model.store.send(articles.isEmpty ? .empty : .loaded(articles))
      case .failure(let error): model.store.send(before.value == nil ? .failed(error) : before)
      case .cancelled: model.store.send(before)
      }
    }
  }
}

// The types that the example uses.

struct Article: Sendable {}

protocol NewsService: Sendable {
  func articles() async throws -> [Article]
}
