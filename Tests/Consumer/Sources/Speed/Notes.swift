import Dispatch
import StorefrontDomain
import StorefrontViewModels

struct Note: Identifiable, Sendable {
  let id: Int
  let title: String
}

/// A service of the app, and view models that have loaded its notes.
struct Notes: DetailService, PageService, SearchService {
  func detail(of id: Int) async throws -> Note { Note(id: id, title: "Note \(id)") }

  func page(_ request: PageRequest) async throws -> Page<Note> {
    Page(request, of: (1...50).map { Note(id: $0, title: "Note \($0)") })
  }

  func results(for query: String, page: PageRequest) async throws -> Page<Note> { try await self.page(page) }
}

extension Notes {
  static let query = "note"

  static func search() async -> SearchViewModel<Note> {
    let model = SearchViewModel(service: Notes())
    model.setQuery(query)
    await model.submit()
    return model
  }

  static func streamSearch() async -> SearchStreamViewModel<Note> {
    let model = SearchStreamViewModel(
      service: Notes().asClosure, callbackQueue: .global())
    model.setQuery(query)
    await returned { model.submit(completion: $0) }
    return model
  }

  static func closureSearch() async -> SearchClosureViewModel<Note> {
    let model = SearchClosureViewModel(
      service: Notes().asClosure, callbackQueue: .global())
    model.setQuery(query)
    await returned { model.submit(completion: $0) }
    return model
  }

  static func closureList() async -> PagedListClosureViewModel<Note> {
    let model = PagedListClosureViewModel(service: Notes().asClosure, callbackQueue: .global())
    await returned { model.load(completion: $0) }
    return model
  }

  static func closureDetail() async -> DetailClosureViewModel<Note> {
    let model = DetailClosureViewModel(
      itemID: 1, source: .link, service: Notes().asClosure, callbackQueue: .global())
    await returned { model.load(completion: $0) }
    return model
  }

  static func streamList() async -> PagedListStreamViewModel<Note> {
    let model = PagedListStreamViewModel(service: Notes().asClosure, callbackQueue: .global())
    await returned { model.load(completion: $0) }
    return model
  }

  static func streamDetail() async -> DetailStreamViewModel<Note> {
    let model = DetailStreamViewModel(
      itemID: 1, source: .link, service: Notes().asClosure, callbackQueue: .global())
    await returned { model.load(completion: $0) }
    return model
  }

  static func list() async -> PagedListViewModel<Note> {
    let model = PagedListViewModel(service: Notes())
    await model.load()
    return model
  }

  static func detail() async -> DetailViewModel<Note> {
    let model = DetailViewModel(itemID: 1, source: .link, service: Notes())
    await model.load()
    return model
  }

  private static func returned(_ load: (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in load { continuation.resume() } }
  }
}
