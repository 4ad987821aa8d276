public import AsyncViewModelsRequests
public import StorefrontDomain

/// The state of the posts screen, and its rules, for all three stages.
///
/// - `load` requests the first page, unless it is loaded. It joins a load in progress.
/// - `refresh` requests the first page again, and replaces all pages. The old posts stay until the
///   response arrives. A failed refresh keeps them, and is retried from its alert. A refresh
///   replaces a load in progress, whose callers wait for it.
/// - `loadNextPage` requests the next page and appends it. It joins a load in progress, and does
///   nothing before the first page, at the end, and after a cursor has expired.
/// - `retry` requests the page of the latest failed load again. It joins a load in progress.
/// - `cancel` restores the state from before the load. Deletions and restorations continue.
/// - `select` sends the route to a shown post as an event, unless the same route still waits.
/// - `delete` hides a post at once. Its success offers to restore the post.
/// - `restore` shows a deleted post at its place at once.
/// - `perform` works like `refresh`, `delete` or `restore`. An action that comes too late fails.
/// - `close` ends the list for good, when the user signs out. Nothing more is sent. All pending and
///   later changes fail with ``/StorefrontDomain/PostError/closed``, although the service may still
///   make those being sent. The state no longer changes, and the streams of states and events end.
///
/// | failure of a change | the post | event |
/// | --- | --- | --- |
/// | ``/StorefrontDomain/PostError/unknownPost(_:)`` or ``/StorefrontDomain/PostError/notDeleted(_:)``, before it is sent | unchanged | none |
/// | a deletion of a post that the service does not know | stays hidden | none |
/// | a restoration of a post that the service does not know | is hidden for good | an alert without a retry |
/// | any other error of the request | as before the change | an alert with a retry |
/// | a cancellation of the request | as before the change | none |
///
/// The changes of one post are sent one after another, those of different posts at the same time,
/// each for the account of the user who asked for it (``/StorefrontDomain/AccountVersion``).
///
/// A post that pages contain twice is shown once, as the later one. After a cursor has expired
/// (``/StorefrontDomain/PageError/expired(_:)``), the posts stay and end. A retry then loads the
/// first page again.
///
/// - Complexity: O(posts) to select a post, or to begin or confirm a change. O(posts × pending
///   changes) to receive a page or a failed change. The posts are those of all pages.
public struct PostsState: Sendable {
  /// Whether the list was closed, for example at sign-out.
  public private(set) var isClosed = false

  private var pages: PagedItems<Post, PageRequest>
  private var changes = OptimisticChanges<PostChange>(PostList())
  /// The posts that the service has deleted (`true`) or restored (`false`) during the load.
  private var changedMeanwhile: [Post.ID: Bool] = [:]
  /// The deleted posts that the service does not know, and cannot restore.
  private var unrestorable: Set<Post.ID> = []

  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int = 50) { pages = PagedItems(pageSize: pageSize) }

  /// The posts, or why there are none. A refresh shows the old posts, also after its failure.
  ///
  /// `.loaded` without posts means that all loaded posts are deleted: load the next page, or show
  /// ``nextPageFailure``.
  public var content: ViewState<[Post]> {
    guard pages.isLoaded else { return pages.content }
    let canShowMore = hasMore || isLoadingNextPage || nextPageFailure != nil
    return posts.isEmpty && !canShowMore ? .empty : .loaded(posts)
  }

  /// The loaded posts that are neither deleted nor being deleted.
  public var posts: [Post] { changes.value.shown }

  /// The page that is being loaded.
  public var pendingRequest: PageRequest? { pages.pendingRequest }

  /// Whether a page is being loaded.
  public var isLoading: Bool { pendingRequest != nil }

  /// Whether the first page is being loaded again.
  public var isRefreshing: Bool { pages.isReloading }

  /// Whether a later page is being loaded.
  public var isLoadingNextPage: Bool { pages.isLoadingNextPage }

  /// Whether there is a next page. `false` before the first page, and after a cursor has expired.
  public var hasMore: Bool { pages.hasMore }

  /// The error of the latest failed load, if it was a refresh. A new refresh hides it. A screen
  /// without an observer of the events shows it.
  public var refreshFailure: (any Error)? { pages.reloadFailure }

  /// The error of the latest load of a next page. `nil` after its success, during the load of a
  /// next page, and after a successful refresh.
  public var nextPageFailure: (any Error)? { pages.nextPageFailure }

  /// The number of deletions that the service has not answered.
  public var deletionCount: Int { pendingCount(of: .deletion) }

  /// The number of restorations that the service has not answered.
  public var restorationCount: Int { pendingCount(of: .restoration) }

  private func pendingCount(of kind: PostChange.Kind) -> Int {
    changes.pendingRequests.count { $0.request.kind == kind }
  }

  // MARK: - Load

  /// Returns the page to request for an intent, if any.
  package func request(for intent: PageIntent) -> PageRequest? {
    isClosed ? nil : pages.request(for: intent)
  }

  /// Records that a page is being loaded, in place of the load in progress.
  package mutating func begin(_ request: PageRequest) {
    pages.begin(request)
    changedMeanwhile = [:]
  }

  /// Records the result of the load, and returns the alert of a failed refresh. A page that adds no
  /// post and is not the last one is a failure, and ends the posts.
  package mutating func receive(_ outcome: TaskOutcome<Page<Post>>) -> PostsEvent? {
    guard let request = pendingRequest else { return nil }
    pages.receivePage(outcome)
    switch outcome {
    case .cancelled: return nil
    case .success(let page) where !request.isFirst || pages.failure == nil: show(page, request)
    case .success, .failure: break
    }
    guard request.isFirst, let error = refreshFailure else { return nil }
    return .failure("The posts could not be refreshed", error, retry: .refresh)
  }

  package mutating func cancel() { pages.cancel() }

  private mutating func show(_ page: Page<Post>, _ request: PageRequest) {
    // The service knows these posts, unless it has deleted them during the load.
    unrestorable.subtract(page.items.map(\.id).filter { changedMeanwhile[$0] != true })
    let pending = Set(changes.pendingRequests.map(\.request.post.id))
    let list = changes.confirmed.showing(
      pages.items, after: page, isReload: request.isFirst, changes: changedMeanwhile, pending: pending)
    // No change is refused, because no rule of `PostChange` refuses one.
    _ = changes.rebase(onto: list)
  }

  // MARK: - Selections and changes

  /// Returns the route to a shown post.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)``.
  package func select(_ id: Post.ID) throws(PostError) -> PostsEvent {
    .route(.post(try shownPost(id).id))
  }

  /// Hides a post.
  ///
  /// - Returns: The deletion. Send it when it is due, and end it with ``end(_:_:)``.
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)``. The state is then unchanged.
  package mutating func beginDeletion(
    of id: Post.ID, for account: AccountVersion = .current
  ) throws(PostError) -> PendingPostChange {
    begin(PostChange(kind: .deletion, post: try shownPost(id)), for: account)
  }

  /// Shows a deleted post again at its place.
  ///
  /// - Returns: The restoration. Send it when it is due, and end it with ``end(_:_:)``.
  /// - Throws: ``/StorefrontDomain/PostError/notDeleted(_:)`` if the post is shown, or
  ///   ``/StorefrontDomain/PostError/unknownPost(_:)``. The state is then unchanged.
  package mutating func beginRestoration(
    of id: Post.ID, for account: AccountVersion = .current
  ) throws(PostError) -> PendingPostChange {
    if isClosed { throw .closed }
    guard !unrestorable.contains(id), let post = changes.value.deletedPost(id) else {
      throw posts.contains { $0.id == id } ? .notDeleted(id) : .unknownPost(id)
    }
    return begin(PostChange(kind: .restoration, post: post), for: account)
  }

  private mutating func begin(_ change: PostChange, for account: AccountVersion) -> PendingPostChange {
    PendingPostChange(id: changes.begin(change), change: change, account: account)
  }

  /// Whether the service has answered the earlier changes of the same post.
  package func isDue(_ change: PendingPostChange) -> Bool { !isClosed && changes.turn(of: change.id) != nil }

  /// Ends a deletion or a restoration. A second response does nothing. The next change of the same
  /// post becomes due even after a failure: the service may have made the failed change.
  ///
  /// - Returns: The event, unless the user has begun another change of the post, or a page that has
  ///   arrived meanwhile shows that the failed change was made.
  package mutating func end(_ change: PendingPostChange, _ outcome: TaskOutcome<Void>) -> PostsStep {
    guard isDue(change) else { return PostsStep() }
    let (post, kind) = (change.change.post, change.change.kind)
    var turns: [OptimisticChanges<PostChange>.Turn]
    switch outcome {
    case .success:
      turns = changes.confirm(change.id)
      recordCompletion(of: kind, for: post.id)
    case .failure(PostError.unknownPost) where kind == .deletion:
      turns = changes.confirm(change.id)
      recordCompletion(of: .deletion, for: post.id)
    case .failure(PostError.unknownPost):
      turns = changes.rollBack(change.id)
      recordCompletion(of: .deletion, for: post.id)
      if turns.isEmpty { unrestorable.insert(post.id) }
    case .failure, .cancelled:
      turns = changes.rollBack(change.id)
      // A page that has arrived meanwhile can show that only the response was lost.
      if turns.isEmpty, isReflected(kind, of: post.id) { return PostsStep() }
    }
    guard let next = turns.first else { return PostsStep(event: .end(of: kind, post, outcome)) }
    return PostsStep(next: next.id)
  }

  /// Whether the shown posts already reflect a change.
  private func isReflected(_ kind: PostChange.Kind, of id: Post.ID) -> Bool {
    (kind == .restoration) == posts.contains { $0.id == id }
  }

  /// Records what the service has done. A load in progress may not know it.
  private mutating func recordCompletion(of kind: PostChange.Kind, for id: Post.ID) {
    if isLoading { changedMeanwhile[id] = kind == .deletion }
  }

  private func shownPost(_ id: Post.ID) throws(PostError) -> Post {
    if isClosed { throw .closed }
    guard let post = posts.first(where: { $0.id == id }) else { throw .unknownPost(id) }
    return post
  }

  /// Ends the load. No pending change becomes due any more.
  package mutating func close() {
    isClosed = true
    cancel()
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

  /// An alert with "Retry" and "Cancel", or only "Close" if a retry cannot succeed.
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
