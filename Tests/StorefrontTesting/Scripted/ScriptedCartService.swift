package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain
import Synchronization

/// A cart service with async functions and completion handlers. The test supplies the answers.
package final class ScriptedCartService: CartService, CartClosureService {
  /// The changes, in the order in which they arrived.
  package let calls: ScriptedCalls<CartChange, Void>
  /// The loads of the cart.
  package let loads: ScriptedCalls<Void, Cart>
  private let arrived = Mutex<[(key: IdempotencyKey, account: AccountVersion)]>([])

  package init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
    loads = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  /// The keys of the changes. Their order is that of ``calls`` if the changes do not arrive at the same time.
  package var keys: [IdempotencyKey] { arrived.withLock { $0.map(\.key) } }

  /// The accounts for which the changes were sent, in the order of ``keys``.
  package var accounts: [AccountVersion] { arrived.withLock { $0.map(\.account) } }

  package func cart() async throws -> Cart { try await loads(()) }

  package func cart(completion: @escaping @Sendable (Result<Cart, any Error>) -> Void) -> CancellationToken {
    loads((), completion: completion)
  }

  package func apply(_ change: CartChange, key: IdempotencyKey) async throws {
    note(key)
    try await calls(change)
  }

  package func apply(
    _ change: CartChange, key: IdempotencyKey,
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    note(key)
    return calls(change, completion: completion)
  }

  private func note(_ key: IdempotencyKey) {
    arrived.withLock { $0.append((key, AccountVersion.current)) }
  }
}
