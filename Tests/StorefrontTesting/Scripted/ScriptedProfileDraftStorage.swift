package import AsyncViewModels
package import AsyncViewModelsTesting
package import StorefrontDomain

/// A storage of the profile form with async functions and completion handlers, whose writes the test answers. It is empty.
package struct ScriptedProfileDraftStorage: ProfileDraftStorage, ProfileDraftClosureStorage {
  /// The saves, and `nil` for each removal.
  package let writes = ScriptedCalls<SavedProfileDraft?, Void>()

  package init() {}

  package func load() async throws -> StoredValue<SavedProfileDraft> { StoredValue(nil) }

  package func load(
    completion: @escaping @Sendable (Result<StoredValue<SavedProfileDraft>, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(StoredValue(nil)))
    return .finished
  }

  package func save(_ draft: SavedProfileDraft) async throws { try await writes(draft) }

  package func save(
    _ draft: SavedProfileDraft, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    writes(draft, completion: completion)
  }

  package func clear() async throws { try await writes(nil) }

  package func clear(
    completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    writes(nil, completion: completion)
  }
}
