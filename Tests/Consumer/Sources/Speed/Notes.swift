import Dispatch
import StorefrontDomain
import StorefrontViewModels

struct Note: Identifiable, Sendable {
  let id: Int
  let title: String
}

/// A service of the app, and view models that have loaded its notes.
struct Notes: SearchService {
  func results(for query: String, page: PageRequest) async throws -> Page<Note> {
    Page(page, of: (1...50).map { Note(id: $0, title: "Note \($0)") })
  }
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

  private static func returned(_ load: (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in load { continuation.resume() } }
  }
}
