public import AsyncViewModels
public import AsyncViewModelsTesting
public import StorefrontDomain

/// A search service whose answers the test gives, in both forms.
public struct ScriptedSearchService<Hit: Sendable>: SearchService, SearchClosureService {
  public let calls: ScriptedCalls<String, [Hit]>

  public init(ignoringCancellation: Bool = false) {
    calls = ScriptedCalls(ignoringCancellation: ignoringCancellation)
  }

  public func results(for query: String) async throws -> [Hit] { try await calls(query) }

  public func results(
    for query: String, completion: @escaping @Sendable (Result<[Hit], any Error>) -> Void
  ) -> CancellationToken {
    calls(query, completion: completion)
  }
}
