package import AsyncViewModelsRequests
package import StorefrontDomain

/// A deletion or restoration, as a change of the list.
struct PostChange: OptimisticChange {
  enum Kind: Sendable { case deletion, restoration }

  let kind: Kind
  let post: Post

  var orderingKey: Post.ID { post.id }

  func apply(to list: inout PostList) -> PostChange {
    Self.reapply(self, to: &list)
    return self
  }

  static func reapply(_ change: PostChange, to list: inout PostList) {
    switch change.kind {
    case .deletion: list.delete(change.post.id)
    case .restoration: list.restore(change.post.id)
    }
  }
}

/// A deletion or restoration that the service has not answered. Send it when it is due.
package struct PendingPostChange: Identifiable, Sendable {
  /// The identifier of the change in the state.
  package let id: Int
  let change: PostChange
  /// The account at the time of the intent.
  let account: AccountVersion

  package func send(to service: any PostService) async throws {
    try await account.run {
      switch change.kind {
      case .deletion: try await service.delete(change.post.id)
      case .restoration: try await service.restore(change.post.id)
      }
    }
  }

  package func send(
    to service: any PostClosureService, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    account.run {
      switch change.kind {
      case .deletion: service.delete(change.post.id, completion: completion)
      case .restoration: service.restore(change.post.id, completion: completion)
      }
    }
  }
}

/// What a view model does after the service has answered a change.
package struct PostsStep: Sendable {
  package var event: PostsEvent?
  /// The change of the same post that is due now.
  package var next: PendingPostChange.ID?
}
