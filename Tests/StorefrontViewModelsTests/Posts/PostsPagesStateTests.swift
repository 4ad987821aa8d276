import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The rules of ``PostsState`` for pages: which page is requested, and where deleted posts are.
@Suite("Posts: state of the pages", .timeLimit(.minutes(5)), .endsWaits)
struct PostsPagesStateTests {
  @Test("the state and the intent determine which page is requested")
  func requests() throws {
    var state = PostsState(pageSize: 2)
    let first = PageRequest(size: 2)
    #expect(state.request(for: .load) == first && state.request(for: .reload) == first)
    #expect(state.request(for: .loadNextPage) == nil && state.request(for: .retry) == nil)
    state.begin(first)
    #expect(state.request(for: .load) == nil && state.request(for: .retry) == nil)
    _ = state.receive(.failure(ServiceError.busy))
    #expect(state.request(for: .retry) == first && state.request(for: .loadNextPage) == nil)
    state.begin(first)
    _ = state.receive(.success(.numbered(1...2, next: PageCursor(rawValue: "a"))))
    let next = PageRequest(cursor: "a", size: 2)
    #expect(state.request(for: .load) == nil && state.request(for: .retry) == nil)
    #expect(state.request(for: .loadNextPage) == next && state.hasMore)
    state.begin(next)
    #expect(state.isLoadingNextPage && !state.isRefreshing)
    #expect(state.request(for: .loadNextPage) == nil && state.request(for: .reload) == first)
    _ = state.receive(.failure(ServiceError.busy))
    #expect(state.request(for: .retry) == next && state.request(for: .loadNextPage) == next)
    state.begin(next)
    _ = state.receive(.failure(PageError.expired(PageCursor(rawValue: "a"))))
    #expect(state.request(for: .retry) == first && state.request(for: .loadNextPage) == nil)
    #expect(!state.hasMore)
  }

  @Test("a retry requests the page of the latest failed load")
  func latestFailure() throws {
    var state = PostsState(pageSize: 2)
    let (first, next) = (PageRequest(size: 2), PageRequest(cursor: "a", size: 2))
    state.begin(first)
    _ = state.receive(.success(.numbered(1...2, next: PageCursor(rawValue: "a"))))
    state.begin(next)
    _ = state.receive(.failure(ServiceError.busy))
    state.begin(first)
    _ = state.receive(.failure(ServiceError.timedOut))
    #expect(state.request(for: .retry) == first)
    #expect(state.refreshFailure as? ServiceError == .timedOut)
    #expect(state.nextPageFailure as? ServiceError == .busy)
    state.begin(next)
    _ = state.receive(.failure(ServiceError.busy))
    #expect(state.request(for: .retry) == next && state.refreshFailure == nil)
    state.begin(first)
    _ = state.receive(.failure(ServiceError.timedOut))
    state.begin(first)
    state.cancel()
    #expect(state.request(for: .retry) == first, "a cancellation restores the failure")
    state.begin(next)
    _ = state.receive(.success(.numbered(3...4)))
    #expect(state.refreshFailure as? ServiceError == .timedOut, "the first page is as old as before")
  }

  @Test("an empty first page that is not the last one is a failure, and a refresh keeps the old posts")
  func emptyFirstPage() {
    var state = PostsState()
    state.begin()
    let stuck = Page<Post>(items: [], next: PageCursor(rawValue: "a"))
    #expect(state.receive(.success(stuck)) == nil)
    #expect(state.content.error as? PageError == .nothingNew(at: .start))
    state = .loaded
    state.begin()
    let event = state.receive(.success(stuck))
    #expect(event?.alert?.buttons.first?.action == .refresh)
    #expect(state.posts == .numbered(1...3))
  }

  @Test("a deleted post that a later page contains was restored elsewhere, and is shown")
  func restoredElsewhere() throws {
    var state = PostsState(pageSize: 2)
    state.begin(PageRequest(size: 2))
    _ = state.receive(.success(.numbered(1...2, next: PageCursor(rawValue: "a"))))
    _ = state.end(try state.beginDeletion(of: 2), .success(()))
    state.begin(PageRequest(cursor: "a", size: 2))
    _ = state.receive(.success(.numbered([2, 3])))
    #expect(state.posts == .numbered(1...3))
  }

  @Test("a deleted post that a refresh has kept takes the place that a later page gives it")
  func keptPost() throws {
    var state = PostsState(pageSize: 2)
    let first = PageRequest(size: 2)
    state.begin(first)
    _ = state.receive(.success(.numbered(1...5)))
    _ = state.end(try state.beginDeletion(of: 4), .success(()))
    state.begin(first)
    _ = state.receive(.success(.numbered(1...2, next: PageCursor(rawValue: "a"))))
    #expect(state.posts == .numbered(1...2))
    let restoration = try state.beginRestoration(of: 4)
    #expect(state.posts == .numbered([1, 2, 4]), "the posts between are not loaded")
    _ = state.end(restoration, .success(()))
    state.begin(PageRequest(cursor: "a", size: 3))
    _ = state.receive(.success(.numbered(3...5)))
    #expect(state.posts == .numbered(1...5))
  }

  @Test("a deleted post that a refresh has kept returns to its neighbor when a page contains the neighbor")
  func keptPlace() throws {
    var state = PostsState(pageSize: 2)
    let first = PageRequest(size: 2)
    state.begin(first)
    _ = state.receive(.success(.numbered(1...5)))
    _ = state.end(try state.beginDeletion(of: 4), .success(()))
    state.begin(first)
    _ = state.receive(.success(.numbered(1...2, next: PageCursor(rawValue: "a"))))
    state.begin(PageRequest(cursor: "a", size: 2))
    _ = state.receive(.success(.numbered([3, 5])))
    _ = state.end(try state.beginRestoration(of: 4), .success(()))
    #expect(state.posts == .numbered(1...5))
  }

  @Test("a deleted post that a refresh has kept also keeps its place when the first page is loaded twice")
  func keptPlaceTwice() throws {
    var state = PostsState.loaded(1...5)
    _ = state.end(try state.beginDeletion(of: 4), .success(()))
    state.receiveFirst([1, 2], isLast: false)
    state.receiveFirst([1, 2], isLast: false)
    state.receiveNext([3, 5])
    _ = state.end(try state.beginRestoration(of: 4), .success(()))
    #expect(state.posts == .numbered(1...5))
  }

  @Test("a deleted post that nothing followed stays after its neighbor when more posts follow")
  func keptPlaceAtTheEnd() throws {
    var state = PostsState.loaded(1...4)
    _ = state.end(try state.beginDeletion(of: 4), .success(()))
    state.receiveFirst([1, 2], isLast: false)
    state.receiveNext([3, 5])
    _ = state.end(try state.beginRestoration(of: 4), .success(()))
    #expect(state.posts == .numbered(1...5))
  }

  @Test(
    "a failed deletion of a post on a page that is not loaded again shows the post and sends an alert",
    arguments: [false, true])
  func failedDeletionOfALaterPost(isLoadedMeanwhile: Bool) throws {
    var state = PostsState.loaded(1...5)
    let deletion = try state.beginDeletion(of: 5)
    state.receiveFirst([1, 2], isLast: false)
    if isLoadedMeanwhile { state.receiveNext([3, 4, 5]) }
    #expect(!state.posts.contains { $0.id == 5 })
    let event = state.end(deletion, .failure(ServiceError.busy)).event
    #expect(event?.alert?.buttons.first?.action == .delete(5))
    #expect(state.posts == .numbered(isLoadedMeanwhile ? [1, 2, 3, 4, 5] : [1, 2, 5]))
  }

  @Test("if the last page lacks a post, its deletion whose answer was lost counts as made")
  func madeDeletionOfALaterPost() throws {
    var state = PostsState.loaded(1...5)
    let deletion = try state.beginDeletion(of: 5)
    state.receiveFirst([1, 2], isLast: false)
    state.receiveNext([3, 4])
    #expect(state.end(deletion, .failure(ServiceError.busy)).event == nil)
    #expect(state.posts == .numbered(1...4))
  }

  @Test("if all loaded posts are deleted and there are more pages, the list is not empty")
  func allDeleted() throws {
    var state = PostsState()
    state.receiveFirst([1], isLast: false)
    _ = state.end(try state.beginDeletion(of: 1), .success(()))
    #expect(state.content.value == [] && state.hasMore)
    state.receiveNext(.failure(ServiceError.busy))
    #expect(state.content.value == [])
    state.receiveNext([])
    if case .empty = state.content {} else { Issue.record("\(state.content)") }
  }

  @Test("a page that adds nothing ends the posts, and a retry requests it again")
  func nothingNew() {
    var state = PostsState()
    state.receiveFirst([1, 2], isLast: false)
    state.receiveNext([2], isLast: false)
    #expect(state.nextPageFailure is PageError && !state.hasMore)
    #expect(state.request(for: .loadNextPage) == nil)
    #expect(state.request(for: .retry) == .next)
    state.begin(.next)
    _ = state.receive(.success(.numbered(3...4)))
    #expect(state.posts == .numbered(1...4) && state.nextPageFailure == nil)
  }

  @Test("a page that contains only posts that a refresh has kept adds posts")
  func onlyKept() throws {
    var state = PostsState.loaded(1...4)
    _ = state.end(try state.beginDeletion(of: 3), .success(()))
    state.receiveFirst([1, 2], isLast: false)
    state.receiveNext([3], isLast: false)
    #expect(state.nextPageFailure == nil && state.hasMore)
    #expect(state.posts == .numbered(1...3))
  }

  @Test("a post that a later page contains again is replaced at its place")
  func replaced() {
    var state = PostsState()
    state.receiveFirst([1, 2], isLast: false)
    let edited = Post(id: 1, title: "edited", body: "")
    state.begin(.next)
    _ = state.receive(.success(Page(items: [edited] + .numbered([3]), next: nil)))
    #expect(state.posts == [edited] + .numbered(2...3))
  }

  @Test(
    "a cancelled retry restores the failure, a failed refresh keeps it, and a refresh that succeeds removes it"
  )
  func failureOfANextPage() {
    var state = PostsState()
    state.receiveFirst([1, 2], isLast: false)
    state.receiveNext(.failure(ServiceError.busy))
    state.begin(.next)
    #expect(state.nextPageFailure == nil)
    state.cancel()
    #expect(state.nextPageFailure as? ServiceError == .busy)
    state.begin()
    #expect(state.receive(.failure(ServiceError.offline))?.alert != nil)
    #expect(state.nextPageFailure as? ServiceError == .busy)
    state.receiveFirst([1, 2], isLast: false)
    #expect(state.nextPageFailure == nil && state.request(for: .retry) == nil)
  }

  @Test(
    "a failed retry after an expired cursor sends an alert, and the next retry requests the first page again")
  func failedRetryAfterExpiry() {
    var state = PostsState()
    state.receiveFirst([1, 2], isLast: false)
    state.receiveNext(.failure(PageError.expired(.next)))
    state.begin(state.request(for: .retry) ?? .next)
    #expect(state.receive(.failure(ServiceError.busy))?.alert != nil)
    #expect(state.posts == .numbered(1...2))
    #expect(state.request(for: .retry)?.isFirst == true)
  }
}

extension PostsState {
  /// Loads the first page.
  fileprivate mutating func receiveFirst(_ numbers: [Int], isLast: Bool) {
    begin()
    _ = receive(.success(.numbered(numbers, next: isLast ? nil : .next)))
  }

  /// Loads a next page.
  fileprivate mutating func receiveNext(_ numbers: [Int], isLast: Bool = true) {
    receiveNext(.success(.numbered(numbers, next: isLast ? nil : .next)))
  }

  fileprivate mutating func receiveNext(_ outcome: TaskOutcome<Page<Post>>) {
    begin(.next)
    _ = receive(outcome)
  }
}

extension PageCursor {
  fileprivate static let next = PageCursor(rawValue: "next")
}

extension PageRequest {
  fileprivate static let next = PageRequest(cursor: "next", size: 50)
}

extension PostsEvent {
  fileprivate var alert: AlertState<PostsAction>? { if case .alert(let alert) = self { alert } else { nil } }
}
