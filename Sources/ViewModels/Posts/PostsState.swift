public import AsyncViewModels
public import StorefrontDomain

/// The state of the posts screen, and the rules by which it changes. The closure, stream and async view models share this type, and
/// none of them adds a rule.
///
/// A post is hidden as soon as its deletion begins, and is shown again at its place as soon as its restoration begins. If the service
/// fails, the change is rolled back. The changes of one post are sent one after another. The methods return an event for a one-time
/// effect that is not part of the state, such as an alert.
///
/// - Complexity: O(posts) to select a post, or to begin or confirm a change. O(posts × pending changes) to receive a list or a failed
///   change.
public struct PostsState: Sendable {
  /// Whether the posts are being loaded, for the first time or again.
  public private(set) var isLoading = false

  /// Whether a list has been loaded.
  private var isLoaded = false
  /// The posts and the pending changes.
  private var changes = OptimisticChanges<PostChange>(PostList())
  private var loadFailure: (any Error)?
  /// The posts that the service has deleted (`true`) or restored (`false`) since the load in progress began. The loaded list may not
  /// contain these changes.
  private var changedMeanwhile: [Post.ID: Bool] = [:]
  /// The deleted posts that the service does not know, and can no longer restore.
  private var forgotten: Set<Post.ID> = []

  package init() {}

  /// The posts, or the reason why there are none. During a refresh and after a failed refresh, these are the old posts.
  public var content: ViewState<[Post]> {
    if isLoaded { return posts.isEmpty ? .empty : .loaded(posts) }
    if isLoading { return .loading }
    return loadFailure.map(ViewState.failed) ?? .idle
  }

  /// The loaded posts that are neither deleted nor being deleted. Empty before the first list has arrived.
  public var posts: [Post] { changes.value.shown }

  /// Whether the posts are being loaded again.
  public var isRefreshing: Bool { isLoading && isLoaded }

  /// The number of deletions that the service has not answered yet.
  public var deletionCount: Int { pendingCount(of: .deletion) }

  /// The number of restorations that the service has not answered yet.
  public var restorationCount: Int { pendingCount(of: .restoration) }

  private func pendingCount(of kind: PostChange.Kind) -> Int {
    changes.pendingRequests.count { $0.request.kind == kind }
  }

  // MARK: - Load

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
    changedMeanwhile = [:]
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
      show(posts)
    case .failure(let error): return fail(error)
    case .cancelled: break
    }
    return nil
  }

  /// Ends the load, and restores the state from before it.
  package mutating func cancel() { isLoading = false }

  private mutating func show(_ posts: [Post]) {
    (isLoaded, loadFailure) = (true, nil)
    forgotten.subtract(posts.map(\.id).filter { changedMeanwhile[$0] != true })
    let pending = Set(changes.pendingRequests.map(\.request.post.id))
    // No change is refused, because no rule of `PostChange` refuses one.
    _ = changes.rebase(
      onto: changes.confirmed.reloaded(posts, changes: changedMeanwhile, pending: pending))
  }

  private mutating func fail(_ error: any Error) -> PostsEvent? {
    guard isLoaded else {
      loadFailure = error
      return nil
    }
    return .failure("The posts could not be refreshed", error, retry: .refresh)
  }

  // MARK: - Selections and changes

  /// Selects a post.
  ///
  /// - Returns: The route to the post.
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown.
  package func select(_ id: Post.ID) throws(PostError) -> PostsEvent {
    .route(.post(try shownPost(id).id))
  }

  /// Hides a post.
  ///
  /// - Returns: The deletion. Send it when it is due, and end it with ``end(_:_:)``.
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` if the post is not shown. The state is then unchanged.
  package mutating func beginDeletion(of id: Post.ID) throws(PostError) -> PendingPostChange {
    begin(PostChange(kind: .deletion, post: try shownPost(id)))
  }

  /// Shows a deleted post again at its place.
  ///
  /// - Returns: The restoration. Send it when it is due, and end it with ``end(_:_:)``.
  /// - Throws: ``/StorefrontDomain/PostError/notDeleted(_:)`` if the post is shown.
  ///   ``/StorefrontDomain/PostError/unknownPost(_:)`` if it was not deleted here. The state is then unchanged.
  package mutating func beginRestoration(of id: Post.ID) throws(PostError) -> PendingPostChange {
    guard !forgotten.contains(id), let post = changes.value.deletedPost(id) else {
      throw posts.contains { $0.id == id } ? .notDeleted(id) : .unknownPost(id)
    }
    return begin(PostChange(kind: .restoration, post: post))
  }

  private mutating func begin(_ change: PostChange) -> PendingPostChange {
    PendingPostChange(id: changes.begin(change), change: change)
  }

  /// Whether to send a change now, because the service has answered the earlier changes of the same post.
  package func isDue(_ change: PendingPostChange) -> Bool { changes.turn(of: change.id) != nil }

  /// Ends a deletion or a restoration. A deleted post that the service does not know counts as deleted, and can no longer be restored
  /// if a restoration finds this out. After any other failure or a cancellation, the change is rolled back. A second answer does
  /// nothing.
  ///
  /// The change of the same post that waited for the answer becomes due also after a failure, because the service may have made the
  /// failed change.
  ///
  /// - Returns: An offer to undo a deletion that has succeeded, or an alert if the change has failed. There is no event if the user
  ///   has already begun another change of the post, or if a list that has arrived meanwhile shows the post as the failed change wants it.
  package mutating func end(_ change: PendingPostChange, _ outcome: TaskOutcome<Void>) -> PostsStep {
    guard isDue(change) else { return PostsStep() }
    let (post, kind) = (change.change.post, change.change.kind)
    var turns: [OptimisticChanges<PostChange>.Turn]
    switch outcome {
    case .success:
      turns = changes.confirm(change.id)
      noteMade(kind, of: post.id)
    case .failure(PostError.unknownPost) where kind == .deletion:
      turns = changes.confirm(change.id)
      noteMade(.deletion, of: post.id)
    case .failure(PostError.unknownPost):
      turns = changes.rollBack(change.id)
      noteMade(.deletion, of: post.id)
      if turns.isEmpty { forgotten.insert(post.id) }
    case .failure, .cancelled:
      turns = changes.rollBack(change.id)
      // A list that has arrived meanwhile can show that the service has made the change, and that only the answer was lost.
      if turns.isEmpty, isMade(kind, of: post.id) { return PostsStep() }
    }
    guard let next = turns.first else { return PostsStep(event: .end(of: kind, post, outcome)) }
    return PostsStep(next: next.id)
  }

  /// Whether the post is as a change wants it.
  private func isMade(_ kind: PostChange.Kind, of id: Post.ID) -> Bool {
    (kind == .restoration) == posts.contains { $0.id == id }
  }

  /// Records what the service has done. A load in progress may not know it.
  private mutating func noteMade(_ kind: PostChange.Kind, of id: Post.ID) {
    if isLoading { changedMeanwhile[id] = kind == .deletion }
  }

  private func shownPost(_ id: Post.ID) throws(PostError) -> Post {
    guard let post = posts.first(where: { $0.id == id }) else { throw .unknownPost(id) }
    return post
  }
}

extension PostsEvent {
  /// The event at the end of a change, if any.
  fileprivate static func end(
    of kind: PostChange.Kind, _ post: Post, _ outcome: TaskOutcome<Void>
  ) -> PostsEvent? {
    switch (kind, outcome) {
    case (.deletion, .success):
      .offer(
        AlertState(
          "“\(post.title)” was deleted",
          buttons: [.init("Undo", action: .restore(post.id)), .init("Close", role: .cancel)]))
    case (.deletion, .failure(PostError.unknownPost)), (.restoration, .success), (_, .cancelled): nil
    case (.deletion, .failure(let error)):
      .failure("“\(post.title)” was not deleted", error, retry: .delete(post.id))
    case (.restoration, .failure(let error)):
      .failure(
        "“\(post.title)” was not restored", error,
        retry: error as? PostError == .unknownPost(post.id) ? nil : .restore(post.id))
    }
  }

  /// An alert whose buttons are "Retry" and "Cancel", or only "Close" if a retry cannot succeed.
  fileprivate static func failure(_ title: String, _ error: any Error, retry: PostsAction?) -> PostsEvent {
    let buttons: [AlertState<PostsAction>.Button] =
      if let retry {
        [.init("Retry", action: retry), .init("Cancel", role: .cancel)]
      } else {
        [.init("Close", role: .cancel)]
      }
    return .alert(AlertState(title, message: "\(error)", buttons: buttons))
  }
}

extension [Post] {
  fileprivate var firstDuplicate: Post.ID? {
    var ids: Set<Post.ID> = []
    return first { !ids.insert($0.id).inserted }?.id
  }
}
