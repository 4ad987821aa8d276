import AsyncViewModels
import Dispatch
import StorefrontDomain

/// A legacy service that calls its completion handler late, at once, twice or never.
struct CarelessCartService: CartClosureService {
  enum Manner: CaseIterable {
    case later, atOnce, twice, never
  }

  let manner: Manner
  let queue = DispatchQueue(label: "service")

  func apply(
    _ change: CartChange, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    switch manner {
    case .later: queue.async { completion(.success(())) }
    case .atOnce: completion(.success(()))
    case .twice:
      queue.async {
        completion(.success(()))
        completion(.success(()))
      }
    case .never: break
    }
    return .ended
  }
}

/// A ``CarelessCartService`` behind the toolkit's bridge, with a deadline in case no answer comes.
struct BridgedCartService: CartService {
  let base: CarelessCartService
  let deadline: Duration
  let clock: any Clock<Duration>

  func apply(_ change: CartChange) async throws {
    try await withCompletionHandler(deadline: deadline, clock: clock) { completion in
      base.apply(change, completion: completion)
    }
  }
}
