// The example on the landing page of the documentation, and what it needs.
import AsyncViewModels

struct Article: Sendable {}

protocol NewsService: Sendable {
  func articles() async throws -> [Article]
}

actor NewsViewModel {
  private let service: any NewsService
  private nonisolated let store = ObservableState(ViewState<[Article]>.idle)
  private let slot = TaskSlot(.latest)

  init(service: any NewsService) { self.service = service }

  nonisolated func states() -> AsyncStream<ViewState<[Article]>> { store.stream() }

  func load() {
    let before = store.value
    if before.value == nil { store.send(.loading) }
    slot.run(on: self) { [service] in
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
