import AsyncViewModelsGCD
import Dispatch

protocol FeedService {
  func load(_ id: Int, completion: @escaping @Sendable (Result<String, Error>) -> Void)
  func seen(_ id: Int, completion: @escaping @Sendable () -> Void)
  func count(_ id: Int, completion: @escaping @Sendable (Int) -> Void)
}

/// The async twin of `FeedService`.
protocol AsyncFeedService: Sendable {
  func load(_ id: Int) async throws -> String
  func seen(_ id: Int) async throws
  func count(_ id: Int) async throws -> Int
}

/// Makes async functions from the completion handlers of `FeedService`.
struct FeedServiceAdapter: AsyncFeedService, @unchecked Sendable {
  let service: any FeedService

  func load(_ id: Int) async throws -> String { "" }
  func seen(_ id: Int) async throws {}
  func count(_ id: Int) async throws -> Int { 0 }
}

actor FeedViewModel {
  private let isolation = QueueIsolation(DispatchQueue(label: "feed"))
  private nonisolated var queue: DispatchQueue { isolation.queue }
  nonisolated var unownedExecutor: UnownedSerialExecutor { isolation.unownedExecutor }
  private let service: any FeedService
  private var texts: [Int: String] = [:]
  private var isDone = false

  init(service: any FeedService) { self.service = service }

  func load(_ ids: [Int]) {
    let serviceAdapter = FeedServiceAdapter(service: service)
    // TODO: [migrate] Should a second call, or the end of the screen, cancel these requests? Then
    // keep the task in a `TaskSlot`.
    Task {
      await ids.runConcurrently { id in
        await Result { try await serviceAdapter.load(id) }
      } receive: { id, outcome in
        guard case .success(let result) = outcome else { return }
        guard case .success(let text) = result else { return }
        self.texts[id] = text
      }
      self.isDone = true
    }
  }
}

final class SeenViewModel {
  private let service: any FeedService
  init(service: any FeedService) { self.service = service }

  func markAll(_ ids: [Int], of serviceAdapter: String) {
    let serviceAdapter2 = FeedServiceAdapter(service: service)
    // TODO: [migrate] Should a second call, or the end of the screen, cancel these requests? Then
    // keep the task in a `TaskSlot`.
    Task { @MainActor in
      await ids.runConcurrently { id in
        try await serviceAdapter2.seen(id)
      } receive: { _, _ in }
      print("all of", serviceAdapter)
    }
  }

  func total(_ ids: [Int], completion: @escaping @Sendable (Int) -> Void) {
    let serviceAdapter = FeedServiceAdapter(service: service)
    // TODO: [migrate] Should a second call, or the end of the screen, cancel these requests? Then
    // keep the task in a `TaskSlot`.
    Task { @MainActor in
      var total = 0
      await ids.runConcurrently { id in
        try await serviceAdapter.count(id)
      } receive: { _, outcome in
        guard case .success(let count) = outcome else { return }
        total += count
      }
      completion(total)
    }
  }
}
