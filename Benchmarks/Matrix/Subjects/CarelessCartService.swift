import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import Synchronization

/// A legacy service that calls its completion handler late, at once, twice or never.
final class CarelessCartService: CartClosureService {
  enum Manner: CaseIterable {
    case later, atOnce, twice, never
  }

  let manner: Manner
  let queue = DispatchQueue(label: "service")
  /// Opens when the service has a request.
  let requested = Gate()
  private let unanswered = Mutex<(@Sendable (Result<Void, any Error>) -> Void)?>(nil)

  init(manner: Manner) { self.manner = manner }

  func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken {
    completion(.success(Cart()))
    return .finished
  }

  func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    switch manner {
    case .later: queue.async { completion(.success(())) }
    case .atOnce: completion(.success(()))
    case .twice:
      queue.async {
        completion(.success(()))
        completion(.success(()))
      }
    case .never: unanswered.withLock { $0 = completion }
    }
    requested.open()
    return .finished
  }

  /// Answers the open request, if there is one, so that nothing waits for it after the probe.
  func release() { unanswered.withLock { $0.take() }?(.success(())) }
}

/// A ``CarelessCartService`` behind the toolkit's bridge, with a deadline in case no answer comes.
struct BridgedCartService: CartService {
  let base: CarelessCartService
  let deadline: Duration
  let clock: any Clock<Duration>

  func cart() async throws -> Cart { Cart() }

  func apply(_ change: CartChange, key: IdempotencyKey) async throws {
    try await withCompletionHandler(deadline: deadline, clock: clock) { completion in
      base.apply(change, key: key, completion: completion)
    }
  }
}
