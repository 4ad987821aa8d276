public import AsyncViewModels
public import StorefrontDomain

/// The state of the posts screen, and the rules by which it changes. The closure, stream and async view models share this type, and
/// none of them adds a rule.
///
/// The posts are loaded page by page. A refresh loads the first page and replaces all pages. A post that is on two pages, or on one
/// page twice, is shown once, as the later one. If a cursor has expired (``/StorefrontDomain/PageError/expired(_:)``), the posts stay
/// and end. A retry then loads the first page again.
///
/// A post is hidden as soon as its deletion begins, and is shown again at its place as soon as its restoration begins. If the service
/// fails, the change is rolled back. The changes of one post are sent one after another, each for the account that was signed in when the
/// user asked for it: see ``/StorefrontDomain/AccountVersion``. The methods return an event for a one-time
/// effect that is not part of the state, such as an alert.
///
/// Close the list when the user signs out. A closed list sends nothing, also if an answer arrives later. All pending changes and all
/// later ones fail with ``/StorefrontDomain/PostError/closed``. The service may still make the changes that were being sent. A load
/// ends, and a later load does nothing. The state keeps what it shows, and does not change any more: the streams of states and of events
/// end. Closing a closed list does nothing.
///
/// - Complexity: O(posts) to select a post, or to begin or confirm a change. O(posts × pending changes) to receive a page or a failed
///   change, where the posts are those of all pages.
public struct PostsState: Sendable {
  /// The page that is being loaded. `nil` if no load is in progress.
  public private(set) var pendingRequest: PageRequest?

  /// The error of the latest failed load, if that load was a refresh. `nil` before the first page has arrived, while the first page is
  /// being loaded again, and after a refresh has succeeded. An alert is also sent, but only a screen that observes the events shows it.
  public var refreshFailure: (any Error)? { nextPage == nil || isRefreshing ? nil : loadFailure }

  /// The error of the latest load of a next page, or `nil` if it succeeded, and while a next page is being loaded. A refresh that
  /// succeeds removes the error. A refresh that fails keeps it.
  public var nextPageFailure: (any Error)? { isLoadingNextPage ? nil : failedPage?.error }

  /// Whether the list was closed, for example because the user has signed out.
  public private(set) var isClosed = false

  private let first: PageRequest
  /// Where the posts go on. `nil` before the first page has arrived.
  private var nextPage: NextPage?
  private var failedPage: (request: PageRequest, error: any Error)?
  /// The posts and the pending changes.
  private var changes = OptimisticChanges<PostChange>(PostList())
  /// The error of the latest failed load, if that load requested the first page.
  private var loadFailure: (any Error)?
  /// The posts that the service has deleted (`true`) or restored (`false`) since the load in progress began. The loaded page may not
  /// contain these changes.
  private var changedMeanwhile: [Post.ID: Bool] = [:]
  /// The deleted posts that the service does not know, and can no longer restore.
  private var forgotten: Set<Post.ID> = []

  /// - Precondition: `pageSize` is at least 1.
  package init(pageSize: Int = 50) { first = PageRequest(size: pageSize) }

  /// The posts, or the reason why there are none. During a refresh and after a failed refresh, these are the old posts.
  ///
  /// `.empty` means that the service has no posts. If all loaded posts are deleted and there are more pages, or the next page has
  /// failed, this is `.loaded` without posts. The screen then loads the next page, or shows ``nextPageFailure``.
  public var content: ViewState<[Post]> {
    if nextPage != nil { return posts.isEmpty && !hasMore && failedPage == nil ? .empty : .loaded(posts) }
    if isLoading { return .loading }
    return loadFailure.map(ViewState.failed) ?? .idle
  }

  /// The loaded posts that are neither deleted nor being deleted. Empty before the first page has arrived.
  public var posts: [Post] { changes.value.shown }

  /// Whether a page is being loaded.
  public var isLoading: Bool { pendingRequest != nil }

  /// Whether the first page is being loaded again.
  public var isRefreshing: Bool { nextPage != nil && pendingRequest?.isFirst == true }

  /// Whether a later page is being loaded.
  public var isLoadingNextPage: Bool { pendingRequest?.isFirst == false }

  /// Whether there are pages after the loaded pages. `false` before the first page has arrived, and if the cursor of the next page has
  /// expired.
  public var hasMore: Bool { nextPage?.request != nil }

  /// The number of deletions that the service has not answered yet.
  public var deletionCount: Int { pendingCount(of: .deletion) }

  /// The number of restorations that the service has not answered yet.
  public var restorationCount: Int { pendingCount(of: .restoration) }

  private func pendingCount(of kind: PostChange.Kind) -> Int {
    changes.pendingRequests.count { $0.request.kind == kind }
  }

  // MARK: - Load

  /// Returns the page to request for an intent, or `nil` if the intent needs no request.
  package func request(for intent: ListIntent) -> PageRequest? {
    if isClosed { return nil }
    return switch intent {
    case .load: nextPage == nil && !isLoading ? first : nil
    case .refresh: first
    case .loadNextPage: isLoading ? nil : nextPage?.request
    case .retry: isLoading ? nil : retried
    }
  }

  /// The request that a retry sends. After a cursor has expired, the same request would fail again.
  private var retried: PageRequest? {
    if loadFailure != nil { return first }
    guard let nextPage else { return nil }
    if nextPage.isExpired { return first }
    return failedPage?.request
  }

  /// Records that a page is being loaded. The view model replaces the request of a load in progress, if any.
  package mutating func begin(_ request: PageRequest) {
    pendingRequest = request
    changedMeanwhile = [:]
  }

  /// Records the result of the load. A page that adds no post and is not the last one is a failure, and ends the posts. A cancellation
  /// has the effect of ``cancel()``.
  ///
  /// - Returns: An alert if a refresh has failed, otherwise `nil`. If no page was loaded before, ``content`` contains the failure
  ///   instead, and if a next page has failed, ``nextPageFailure``.
  package mutating func receive(_ outcome: TaskOutcome<Page<Post>>) -> PostsEvent? {
    guard let request = pendingRequest else { return nil }
    pendingRequest = nil
    switch outcome {
    case .success(let page):
      return request.isFirst ? show(page, request) : append(page, request)
    case .failure(let error): return fail(request, error)
    case .cancelled: return nil
    }
  }

  /// Ends the load, and restores the state from before it.
  package mutating func cancel() { pendingRequest = nil }

  /// Shows the first page in place of the old list.
  private mutating func show(_ page: Page<Post>, _ request: PageRequest) -> PostsEvent? {
    var nextPage = NextPage()
    if let error = nextPage.goOn(after: page, of: request, addsItems: !page.items.isEmpty) {
      return fail(request, error)
    }
    (self.nextPage, loadFailure, failedPage) = (nextPage, nil, nil)
    remember(page)
    // No change is refused, because no rule of `PostChange` refuses one.
    _ = changes.rebase(
      onto: changes.confirmed.reloaded(page, changes: changedMeanwhile, pending: changedPosts))
    return nil
  }

  private mutating func append(_ page: Page<Post>, _ request: PageRequest) -> PostsEvent? {
    let confirmed = changes.confirmed
    let error = nextPage?.goOn(after: page, of: request, addsItems: confirmed.lacks(page.items))
    failedPage = error.map { (request, $0) }
    if error != nil { loadFailure = nil }
    remember(page)
    _ = changes.rebase(
      onto: confirmed.appending(page, changes: changedMeanwhile, pending: changedPosts))
    return nil
  }

  /// The posts with changes that the service has not answered.
  private var changedPosts: Set<Post.ID> { Set(changes.pendingRequests.map(\.request.post.id)) }

  /// Records that the service knows the posts of a page, except for those that it has deleted since it was asked.
  private mutating func remember(_ page: Page<Post>) {
    forgotten.subtract(page.items.map(\.id).filter { changedMeanwhile[$0] != true })
  }

  private mutating func fail(_ request: PageRequest, _ error: any Error) -> PostsEvent? {
    if !request.isFirst {
      nextPage?.end(after: error)
      (failedPage, loadFailure) = ((request, error), nil)
      return nil
    }
    loadFailure = error
    return nextPage == nil ? nil : .failure("The posts could not be refreshed", error, retry: .refresh)
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
  package mutating func beginDeletion(
    of id: Post.ID, for account: AccountVersion = .current
  ) throws(PostError) -> PendingPostChange {
    begin(PostChange(kind: .deletion, post: try shownPost(id)), for: account)
  }

  /// Shows a deleted post again at its place.
  ///
  /// - Returns: The restoration. Send it when it is due, and end it with ``end(_:_:)``.
  /// - Throws: ``/StorefrontDomain/PostError/notDeleted(_:)`` if the post is shown.
  ///   ``/StorefrontDomain/PostError/unknownPost(_:)`` if it was not deleted here. The state is then unchanged.
  package mutating func beginRestoration(
    of id: Post.ID, for account: AccountVersion = .current
  ) throws(PostError) -> PendingPostChange {
    if isClosed { throw .closed }
    guard !forgotten.contains(id), let post = changes.value.deletedPost(id) else {
      throw posts.contains { $0.id == id } ? .notDeleted(id) : .unknownPost(id)
    }
    return begin(PostChange(kind: .restoration, post: post), for: account)
  }

  private mutating func begin(_ change: PostChange, for account: AccountVersion) -> PendingPostChange {
    PendingPostChange(id: changes.begin(change), change: change, account: account)
  }

  /// Whether to send a change now, because the service has answered the earlier changes of the same post.
  package func isDue(_ change: PendingPostChange) -> Bool { !isClosed && changes.turn(of: change.id) != nil }

  /// Ends a deletion or a restoration. A deleted post that the service does not know counts as deleted, and can no longer be restored
  /// if a restoration finds this out. After any other failure or a cancellation, the change is rolled back. A second answer does
  /// nothing.
  ///
  /// The change of the same post that waited for the answer becomes due also after a failure, because the service may have made the
  /// failed change.
  ///
  /// - Returns: An offer to undo a deletion that has succeeded, or an alert if the change has failed. There is no event if the user
  ///   has already begun another change of the post, or if a page that has arrived meanwhile shows the post as the failed change wants it.
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
      // A page that has arrived meanwhile can show that the service has made the change, and that only the answer was lost.
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
    if isClosed { throw .closed }
    guard let post = posts.first(where: { $0.id == id }) else { throw .unknownPost(id) }
    return post
  }

  /// Closes the list for good, and ends the load. No pending change becomes due any more.
  package mutating func close() { (isClosed, pendingRequest) = (true, nil) }
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
