import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The rules of the posts screen, tested without a view model.
@Suite("Posts state", .timeLimit(.minutes(5)), .endsWaits)
struct PostsStateTests {
  @Test("before the first list, no post can be selected or deleted")
  func nothing() {
    var state = PostsState()
    #expect(state.request(for: .load) != nil)
    #expect(throws: PostError.unknownPost(1)) { _ = try state.select(1) }
    #expect(throws: PostError.unknownPost(1)) { _ = try state.beginDeletion(of: 1) }
    #expect(throws: PostError.unknownPost(1)) { _ = try state.beginRestoration(of: 1) }
    #expect(state.content.isIdle)
  }

  @Test("a cancelled load restores the earlier failure")
  func cancelledLoad() {
    var state = PostsState()
    state.begin()
    #expect(
      state.receive(.failure(ServiceError.busy)) == nil, "without older posts, a failure causes no alert")
    for isCancelledByUser in [true, false] {
      state.begin()
      #expect(state.content.isLoading)
      if isCancelledByUser { state.cancel() } else { #expect(state.receive(.cancelled) == nil) }
      #expect(state.content.error as? ServiceError == .busy)
      #expect(state.request(for: .load) != nil)
    }
  }

  @Test("a failed refresh causes an alert; a cancelled or successful refresh does not")
  func alerts() {
    var state = PostsState.loaded
    state.begin()
    #expect(state.isRefreshing)
    #expect(state.receive(.failure(ServiceError.busy)) == .refreshFailed)
    #expect(state.posts == .numbered(1...3))
    state.begin()
    #expect(state.receive(.cancelled) == nil)
    #expect(state.receive(.success(.numbered(1...2))) == nil)
  }

  @Test("a second answer to a deletion changes nothing")
  func strayDeletion() throws {
    var state = PostsState.loaded
    let deletion = try state.beginDeletion(of: 1)
    #expect(state.end(deletion, .failure(ServiceError.busy)).event == .deletionFailed(1))
    #expect(state.end(deletion, .success(())).event == nil)
    #expect(state.posts == .numbered(1...3))
    #expect(state.deletionCount == 0)
  }

  @Test("a post that was deleted during a load is shown if the next load returns it")
  func deletedDuringLoad() throws {
    var state = PostsState.loaded
    state.begin()
    let deletion = try state.beginDeletion(of: 2)
    #expect(state.end(deletion, .success(())).event == .deleted(2))
    #expect(state.receive(.success(.numbered(1...3))) == nil)
    #expect(state.posts == .numbered([1, 3]))
    state.begin()
    #expect(state.receive(.success(.numbered(1...3))) == nil)
    #expect(state.posts == .numbered(1...3))
  }

  @Test("a post that the service no longer knows stays deleted, although an older list contains it")
  func unknownDuringLoad() throws {
    var state = PostsState.loaded
    state.begin()
    let deletion = try state.beginDeletion(of: 2)
    #expect(state.end(deletion, .failure(PostError.unknownPost(2))).event == nil)
    #expect(state.receive(.success(.numbered(1...3))) == nil)
    #expect(state.posts == .numbered([1, 3]))
  }

  @Test("a failed deletion of a post that a refresh removed causes no alert and restores nothing")
  func removedByRefresh() throws {
    var state = PostsState.loaded
    let deletion = try state.beginDeletion(of: 2)
    state.begin()
    #expect(state.receive(.success(.numbered([3, 1]))) == nil)
    // The user sees what the deletion was meant to do.
    #expect(state.end(deletion, .failure(ServiceError.busy)).event == nil)
    #expect(state.posts == .numbered([3, 1]))
    #expect(throws: PostError.unknownPost(2), "a retry has nothing to delete") {
      _ = try state.beginDeletion(of: 2)
    }
  }
}

extension PostsState {
  /// The state after the posts 1 to 3 were loaded.
  static var loaded: PostsState { loaded(1...3) }

  /// The state after posts were loaded.
  static func loaded(_ numbers: ClosedRange<Int>) -> PostsState {
    var state = PostsState()
    state.begin()
    _ = state.receive(.success(.numbered(numbers)))
    return state
  }
}
