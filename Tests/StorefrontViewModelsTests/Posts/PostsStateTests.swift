import AsyncViewModels
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels
import Testing

/// The posts' rules, without anybody who waits.
@Suite("Posts state", .timeLimit(.minutes(1)))
struct PostsStateTests {
  @Test("before the first list there is nothing to choose or delete")
  func nothing() {
    var state = PostsState()
    #expect(state.needsLoading)
    #expect(throws: PostError.unknownPost(1)) { _ = try state.select(1) }
    #expect(throws: PostError.unknownPost(1)) { try state.beginDeleting(1) }
    #expect(state.content.isIdle)
  }

  @Test("a load that is called off restores the failure before it")
  func calledOff() {
    var state = PostsState()
    state.beginLoading()
    #expect(state.receive(.failure(ServiceError.timedOut)) == nil, "nothing is there to keep: no alert")
    state.beginLoading()
    #expect(state.content.isLoading)
    #expect(state.receive(.cancelled) == nil)
    #expect(state.content.error as? ServiceError == .timedOut)
    #expect(state.needsLoading)
  }

  @Test("only a failure with something to show is an alert")
  func alerts() {
    var state = PostsState.loaded
    state.beginLoading()
    #expect(state.isRefreshing)
    #expect(state.receive(.failure(ServiceError.timedOut)) == .refreshTimedOut)
    #expect(state.posts == .numbered(1...3))
    state.beginLoading()
    #expect(state.receive(.cancelled) == nil)
    #expect(state.receive(.success(.numbered(1...2))) == nil)
  }

  @Test("an answer to a deletion that nobody began changes nothing")
  func strayDeletion() {
    var state = PostsState.loaded
    #expect(state.receiveDeletion(of: 1, .success(())) == nil)
    #expect(state.receiveDeletion(of: 1, .failure(ServiceError.timedOut)) == nil)
    #expect(state.posts == .numbered(1...3))
  }

  @Test("a post that was deleted during a load may come with the next one again")
  func deletedMeanwhile() throws {
    var state = PostsState.loaded
    state.beginLoading()
    try state.beginDeleting(2)
    #expect(state.receiveDeletion(of: 2, .success(())) == nil)
    #expect(state.receive(.success(.numbered(1...3))) == nil)
    #expect(state.posts == .numbered([1, 3]))
    state.beginLoading()
    #expect(state.receive(.success(.numbered(1...3))) == nil)
    #expect(state.posts == .numbered(1...3))
  }

  @Test("a refusal of a post that the list has lost meanwhile brings nothing back, but says so")
  func lostMeanwhile() throws {
    var state = PostsState.loaded
    try state.beginDeleting(2)
    state.beginLoading()
    #expect(state.receive(.success(.numbered([3, 1]))) == nil)
    #expect(state.receiveDeletion(of: 2, .failure(ServiceError.timedOut)) == .deletionTimedOut(2))
    #expect(state.posts == .numbered([3, 1]))
  }
}

extension PostsState {
  fileprivate static var loaded: PostsState {
    var state = PostsState()
    state.beginLoading()
    _ = state.receive(.success(.numbered(1...3)))
    return state
  }
}
