package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain

/// A cart storage with async functions and completion handlers, whose saves the test answers. It is empty.
package struct ScriptedCartStorage: CartStorage, CartClosureStorage {
  /// The saves.
  package let saves = ScriptedCalls<SavedCart, Void>()

  package init() {}

  package func load() async throws -> StoredValue<SavedCart> { StoredValue(nil) }

  package func load(
    completion: @escaping @Sendable (Result<StoredValue<SavedCart>, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(StoredValue(nil)))
    return .finished
  }

  package func save(_ cart: SavedCart) async throws { try await saves(cart) }

  package func save(
    _ cart: SavedCart, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    saves(cart, completion: completion)
  }
}
