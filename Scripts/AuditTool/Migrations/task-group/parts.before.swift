import AsyncViewModelsGCD
import Foundation

protocol HomeService {
  func banner(completion: @escaping (Result<String, Error>) -> Void)
  func rating(of id: Int, completion: @escaping (Double?) -> Void)
  func note(completion: @escaping (String?, Error?) -> Void)
  func touch(completion: @escaping () -> Void)
  func delete(_ id: Int, completion: @escaping (Error?) -> Void)
}

/// The async twin of `HomeService`.
protocol AsyncHomeService: Sendable {
  func banner() async throws -> String
  func rating(of id: Int) async throws -> Double?
  func note() async throws -> String
  func touch() async throws
  func delete(_ id: Int) async throws
}

/// Makes async functions from the completion handlers of `HomeService`.
struct HomeServiceAdapter: AsyncHomeService, @unchecked Sendable {
  let service: any HomeService

  func banner() async throws -> String { "" }
  func rating(of id: Int) async throws -> Double? { nil }
  func note() async throws -> String { "" }
  func touch() async throws {}
  func delete(_ id: Int) async throws {}
}

@MainActor
final class HomeViewModel {
  private let service: HomeService
  private var title = ""
  private var errors: [String] = []

  init(service: HomeService) { self.service = service }

  func load(_ id: Int, completion: @escaping @MainActor () -> Void) {
    title = "loading"
    // What the parts have found.
    var rating: Double?
    let parts = DispatchQueue(label: "parts")
    // All parts.
    let group = CompletionGroup()
    let bannerEntry = group.enter()
    service.banner { [weak self] result in
      DispatchQueue.main.async {
        guard let self = self else { return bannerEntry.leave() }
        // The banner appears at once.
        switch result {
        case .success(let text):
          self.title = text
        case .failure(let error):
          self.fail(error)
        }
        bannerEntry.leave()
      }
    }

    let ratingEntry = group.enter()  // also the rating
    self.service.rating(of: id) { value in
      parts.async {
        rating = value
        ratingEntry.leave()
      }
    }
    let noteEntry = group.enter()
    service.note { [weak self] note, error in
      defer { noteEntry.leave() }
      guard let error = error else { return }
      self?.fail(error)
    }
    let touchEntry = group.enter()
    service.touch(completion: { touchEntry.leave() })
    let deleteEntry = group.enter()
    service.delete(1) { [weak self] error in
      if error != nil { self?.title = "not deleted" }
      deleteEntry.leave()
    }

    // The end.
    group.notify(on: .main) { [weak self] in
      guard let self, let rating = rating else { return }
      self.title += "\(rating)"
      completion()
    }
  }

  private func fail(_ error: Error) { errors.append("\(error)") }
}
