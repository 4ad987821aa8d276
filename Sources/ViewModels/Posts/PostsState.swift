public import AsyncViewModels
public import StorefrontDomain

/// The state of the posts screen, and the rules by which it changes. The closure, stream and async view models share this type, and
/// none of them adds a rule.
///
/// A post is hidden as soon as its deletion begins. If the deletion fails, the post is shown again at its
/// position in the list. The methods return an event for a one-time effect that is not part of the state,
/// such as an alert.
///
/// - Complexity: O(posts) to select a post, or to begin or confirm its deletion. O(posts × pending deletions) to receive a list or
///   a failed deletion.
public struct PostsState: Sendable {
  /// Whether the posts are being loaded, for the first time or again.
  public private(set) var isLoading = false

  /// Whether a list has been loaded.
  private var isLoaded = false
  /// The posts and the pending deletions.
  private var changes = OptimisticChanges<PostDeletion>([])
  private var loadFailure: (any Error)?
  /// The posts that were deleted after the load in progress began. The loaded list may still contain them.
  private var deletedMeanwhile: Set<Post.ID> = []

  package init() {}

  /// The posts, or the reason why there are none. During a refresh and after a failed refresh, these are the old posts.
  public var content: ViewState<[Post]> {
    if isLoaded { return posts.isEmpty ? .empty : .loaded(posts) }
    if isLoading { return .loading }
    return loadFailure.map(ViewState.failed) ?? .idle
  }

  /// The loaded posts that are not being deleted. Empty before the first list has arrived.
  public var posts: [Post] { changes.value }

  /// Whether the posts are being loaded again.
  public var isRefreshing: Bool { isLoading && isLoaded }

  /// The number of deletions that the service has not answered yet.
  public var deletionCount: Int { changes.pendingCount }

  /// Whether an intent needs a request. `.load` needs none if the posts are loaded or being loaded. `.refresh` always needs one.
  package func needsRequest(for intent: LoadIntent) -> Bool {
    switch intent {
    case .load: !isLoaded && !isLoading
    case .refresh: true
    }
  }

  /// Records that the posts are being loaded. The view model replaces the request of a load in progress, if any.
  package mutating func begin() {
    isLoading = true
    deletedMeanwhile = []
  }

  /// Records the result of the load. A list that contains a post twice counts as a failure. A cancellation
  /// has the effect of ``cancel()``.
  ///
  /// - Returns: An alert if a refresh has failed, otherwise `nil`. If no list was loaded before, ``content``
  ///   contains the failure instead.
  package mutating func receive(_ outcome: TaskOutcome<[Post]>) -> PostsEvent? {
    isLoading = false
    switch outcome {
    case .success(let posts):
      if let id = posts.firstDuplicate { return fail(PostError.duplicatePost(id)) }
      show(deletedMeanwhile.isEmpty ? posts : posts.filter { !deletedMeanwhile.contains($0.id) })
    case .failure(let error): return fail(error)
    case .cancelled: break
    }
    return nil
  }

  /// Ends the load, and restores the state from before it.
  package mutating func cancel() { isLoading = false }

  /// Selects a post.
  ///
  /// - Returns: The route to the post.
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown.
  package func select(_ id: Post.ID) throws(PostError) -> PostsEvent {
    .route(.post(try shownPost(id).id))
  }

  /// Hides a post.
  ///
  /// - Returns: The deletion. End it with ``endDeletion(_:_:)``.
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown. The state is then unchanged.
  package mutating func beginDeletion(of id: Post.ID) throws(PostError) -> PendingDeletion {
    let post = try shownPost(id)
    return PendingDeletion(post: post, change: changes.begin(PostDeletion(id: id)))
  }

  /// Ends a deletion. A post that the service does not know counts as deleted.
  ///
  /// - Returns: An alert if the deletion has failed, otherwise `nil`. After a failure or a cancellation, the
  ///   post is shown again at its position in the list.
  package mutating func endDeletion(
    _ deletion: PendingDeletion, _ outcome: TaskOutcome<Void>
  ) -> PostsEvent? {
    switch outcome {
    case .success, .failure(PostError.unknownPost):
      _ = changes.confirm(deletion.change)
      if isLoading { deletedMeanwhile.insert(deletion.post.id) }
      return nil
    case .failure(let error):
      _ = changes.rollBack(deletion.change)
      return .alert(
        AlertMessage(title: "“\(deletion.post.title)” was not deleted", message: "\(error)"))
    case .cancelled:
      _ = changes.rollBack(deletion.change)
      return nil
    }
  }

  private mutating func show(_ posts: [Post]) {
    (isLoaded, loadFailure) = (true, nil)
    _ = changes.rebase(onto: posts)
  }

  private mutating func fail(_ error: any Error) -> PostsEvent? {
    guard isLoaded else {
      loadFailure = error
      return nil
    }
    return .alert(AlertMessage(title: "The posts could not be refreshed", message: "\(error)"))
  }

  private func shownPost(_ id: Post.ID) throws(PostError) -> Post {
    guard let post = posts.first(where: { $0.id == id }) else { throw .unknownPost(id) }
    return post
  }
}

/// A deletion that the service has not answered yet.
package struct PendingDeletion: Sendable {
  /// The hidden post.
  package let post: Post
  fileprivate let change: OptimisticChanges<PostDeletion>.ID
}

/// The deletion of a post, as a change of the list.
private struct PostDeletion: OptimisticChange {
  let id: Post.ID

  /// Deletions of different posts are sent at the same time.
  var orderingKey: Post.ID { id }

  func apply(to posts: inout [Post]) -> Post.ID {
    Self.reapply(id, to: &posts)
    return id
  }

  static func reapply(_ id: Post.ID, to posts: inout [Post]) { posts.removeAll { $0.id == id } }
}

extension [Post] {
  fileprivate var firstDuplicate: Post.ID? {
    var ids: Set<Post.ID> = []
    return first { !ids.insert($0.id).inserted }?.id
  }
}
