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
    let group = CompletionGroup()
    for id in ids {
      let entry = group.enter()
      service.load(id) { result in
        self.queue.async {
          self.assumeIsolated { model in
            guard case .success(let text) = result else { return entry.leave() }
            model.texts[id] = text
            entry.leave()
          }
        }
      }
    }
    group.notify(on: queue) {
      self.assumeIsolated { model in
        model.isDone = true
      }
    }
  }
}

final class SeenViewModel {
  private let service: any FeedService
  init(service: any FeedService) { self.service = service }

  func markAll(_ ids: [Int], of serviceAdapter: String) {
    let group = CompletionGroup()
    for id in ids {
      let entry = group.enter()
      service.seen(id) { entry.leave() }
    }
    group.notify(on: .main) { print("all of", serviceAdapter) }
  }

  func total(_ ids: [Int], completion: @escaping @Sendable (Int) -> Void) {
    var total = 0
    let group = CompletionGroup()
    for id in ids {
      let entry = group.enter()
      service.count(id) { count in
        DispatchQueue.main.async {
          total += count
          entry.leave()
        }
      }
    }
    group.notify(on: .main) { completion(total) }
  }
}
