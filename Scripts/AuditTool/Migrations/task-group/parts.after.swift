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
    // All parts.
    let serviceAdapter = HomeServiceAdapter(service: service)
    // TODO: [migrate] Should a second call, or the end of the screen, cancel these requests? Then
    // keep the task in a `TaskSlot`.
    Task { [weak self] in
      enum Part {
        case banner(Result<String, any Error>)
        case rating(Result<Double?, any Error>)
        case note(Result<String, any Error>)
        case touch
        case delete(Result<Void, any Error>)
      }
      // What the parts have found.
      var rating: Double?
      await withTaskGroup(of: Part.self) { group in
        group.addTask { .banner(await Result { try await serviceAdapter.banner() }) }
        // also the rating
        group.addTask { .rating(await Result { try await serviceAdapter.rating(of: id) }) }
        group.addTask { .note(await Result { try await serviceAdapter.note() }) }
        group.addTask {
          _ = try? await serviceAdapter.touch()
          return .touch
        }
        group.addTask { .delete(await Result { try await serviceAdapter.delete(1) }) }
        for await part in group {
          switch part {
          case .banner(let result):
            guard let self = self else { continue }
            // The banner appears at once.
            switch result {
            case .success(let text):
              self.title = text
            case .failure(let error):
              self.fail(error)
            }
          case .rating(let answer):
            guard case .success(let value) = answer else { continue }
            rating = value
          case .note(let answer):
            let error: (any Error)? = if case .failure(let failure) = answer { failure } else { nil }
            do {
              guard let error = error else { continue }
              self?.fail(error)
            }
          case .touch:
            break
          case .delete(let answer):
            let error: (any Error)? = if case .failure(let failure) = answer { failure } else { nil }
            if error != nil { self?.title = "not deleted" }
          }
        }
      }
      // The end.
      do {
        guard let self, let rating = rating else { return }
        self.title += "\(rating)"
        completion()
      }
    }
  }

  private func fail(_ error: Error) { errors.append("\(error)") }
}
