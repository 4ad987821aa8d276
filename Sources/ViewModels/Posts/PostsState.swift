public import AsyncViewModels
public import StorefrontDomain

/// What the posts' screen shows, and the rules by which it changes. All three stages use it; none adds a rule.
///
/// A post that is being deleted is hidden at once, and stays in its place behind the scenes until the service has answered: where
/// that refuses, it is back. What a transition *returns* is an event: it happens once, and belongs to no state.
///
/// Cost: ``posts`` and ``content`` are O(posts) while any is being deleted, else O(1); taking in a list is O(posts).
public struct PostsState: Sendable {
  /// Whether the list is on its way, with or without an older one to show.
  public private(set) var isLoading = false

  /// As the service had it last; nil before the first list.
  private var received: [Post]?
  private var loadFailure: (any Error)?
  private var deleting: [Post.ID: Post] = [:]
  /// What was deleted since the list that is on its way was asked for: it may still be in there.
  private var deletedMeanwhile: Set<Post.ID> = []

  package init() {}

  /// The posts, or why there are none. While they are refreshed, and where that fails, the old ones.
  public var content: ViewState<[Post]> {
    if received != nil {
      let posts = posts
      return posts.isEmpty ? .empty : .loaded(posts)
    }
    if isLoading { return .loading }
    return loadFailure.map(ViewState.failed) ?? .idle
  }

  /// The posts that are there and not being deleted; none before the first list.
  public var posts: [Post] {
    guard let received else { return [] }
    return deleting.isEmpty ? received : received.filter { deleting[$0.id] == nil }
  }

  /// Whether the list is on its way again, behind the old one.
  public var isRefreshing: Bool { isLoading && received != nil }

  /// How many deletions wait for the service's answer.
  public var deletionCount: Int { deleting.count }

  /// Whether a load has to request anything: not while the list is there or on its way.
  public var needsLoading: Bool { received == nil && !isLoading }

  /// Notes that the list is on its way, in place of one that was before it.
  package mutating func beginLoading() {
    isLoading = true
    deletedMeanwhile = []
  }

  /// Takes in what came of the list that was on its way. Returns an alert where it failed with an older one to show; without,
  /// the failure is the content. Cancellation is no failure.
  package mutating func receive(_ outcome: TaskOutcome<[Post]>) -> PostsEvent? {
    isLoading = false
    switch outcome {
    case .success(let posts):
      if let id = posts.firstDuplicate { return fail(PostError.duplicatePost(id)) }
      received = deletedMeanwhile.isEmpty ? posts : posts.filter { !deletedMeanwhile.contains($0.id) }
    case .failure(let error): return fail(error)
    case .cancelled: break
    }
    return nil
  }

  /// Chooses a post. Returns where that leads.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` where it is not shown.
  package func select(_ id: Post.ID) throws(PostError) -> PostsEvent {
    .route(.post(try shownPost(id).id))
  }

  /// Hides a post. The answer belongs into ``receiveDeletion(of:_:)``.
  ///
  /// - Throws: ``/StorefrontDomain/PostError/unknownPost(_:)`` where it is not shown; the state is as it was.
  package mutating func beginDeleting(_ id: Post.ID) throws(PostError) {
    deleting[id] = try shownPost(id)
  }

  /// Takes in what came of a deletion. Where it failed the post is back in its place, and an alert says so. A post that the service
  /// does not have either is gone, as was wanted.
  package mutating func receiveDeletion(of id: Post.ID, _ outcome: TaskOutcome<Void>) -> PostsEvent? {
    guard let post = deleting.removeValue(forKey: id) else { return nil }
    switch outcome {
    case .success, .failure(PostError.unknownPost): remove(id)
    case .failure(let error):
      return .alert(AlertMessage(title: "“\(post.title)” was not deleted", message: "\(error)"))
    case .cancelled: break
    }
    return nil
  }

  private mutating func fail(_ error: any Error) -> PostsEvent? {
    guard received != nil else {
      loadFailure = error
      return nil
    }
    return .alert(AlertMessage(title: "The posts could not be refreshed", message: "\(error)"))
  }

  private mutating func remove(_ id: Post.ID) {
    received?.removeAll { $0.id == id }
    if isLoading { deletedMeanwhile.insert(id) }
  }

  private func shownPost(_ id: Post.ID) throws(PostError) -> Post {
    guard deleting[id] == nil, let post = received?.first(where: { $0.id == id }) else {
      throw .unknownPost(id)
    }
    return post
  }
}

extension [Post] {
  fileprivate var firstDuplicate: Post.ID? {
    var ids: Set<Post.ID> = []
    return first { !ids.insert($0.id).inserted }?.id
  }
}
