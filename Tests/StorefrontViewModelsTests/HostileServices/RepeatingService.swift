import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization

/// A service that calls the completion handler of a request each time a test answers the request.
final class RepeatingService: NumberedService {
  typealias Answer = Result<Int, any Error>

  private let completions = Mutex<[@Sendable (Answer) -> Void]>([])

  /// Waits until the service has received `count` requests.
  func waitForRequests(_ count: Int) async throws {
    try await until { completions.withLock { $0.count } >= count }
  }

  /// Waits for the requests at these positions, and answers each of them, even if it was answered before.
  func answer(_ requests: Range<Int>, _ answer: Answer) async throws {
    try await waitForRequests(requests.upperBound)
    for completion in completions.withLock({ $0[requests] }) { completion(answer) }
  }

  func number() async throws -> Int { try await withCompletionHandler { number(completion: $0) } }
  func number(completion: @escaping @Sendable (Answer) -> Void) -> CancellationToken {
    completions.withLock { $0.append(completion) }
    return .finished
  }
}
