package import AsyncViewModels
package import StorefrontDomain

/// The deletion or the restoration of a post, as a change of the list.
struct PostChange: OptimisticChange {
  /// What happens to the post.
  enum Kind: Sendable { case deletion, restoration }

  let kind: Kind
  let post: Post

  /// The changes of one post are sent one after another. Changes of different posts are sent at the same time.
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

/// A deletion or restoration that the service has not answered yet. Send it when ``PostsState/isDue(_:)`` is true.
package struct PendingPostChange: Identifiable, Sendable {
  /// The identifier of the change in the state.
  package let id: Int
  let change: PostChange
  /// The account that was signed in when the user asked for the change.
  let account: AccountVersion

  /// Sends the change to a service, for the account of the user who has asked for it.
  package func send(to service: any PostService) async throws {
    try await account.run {
      switch change.kind {
      case .deletion: try await service.delete(change.post.id)
      case .restoration: try await service.restore(change.post.id)
      }
    }
  }

  /// Sends the change to a service with completion handlers, for the account of the user who has asked for it.
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

/// What a view model of the posts does after the service has answered a change.
package struct PostsStep: Sendable {
  /// The event to send.
  package var event: PostsEvent?
  /// The change of the same post that waited for the answer, and is due now.
  package var next: PendingPostChange.ID?
}
