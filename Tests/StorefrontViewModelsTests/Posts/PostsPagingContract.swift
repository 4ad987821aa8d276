import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The pages of the posts in every stage, and how they go together with deletions and restorations.
@Suite("Posts: pages", .timeLimit(.minutes(5)), .endsWaits)
struct PostsPagingContract {
  private static let cursor = "ö+&=/ 1"
  private let service = ScriptedPostService()

  @Test(
    "the next page begins at the cursor of the page before, and each post is shown once",
    arguments: ContractStage.allCases)
  func nextPage(stage: ContractStage) async throws {
    try await withFirstPage(stage) { model in
      #expect(service.loads.requests == [PageRequest(size: 3)])
      #expect(model.state.hasMore)
      let states = StateRecorder(model.states())
      let load = await model.loadNextPage()
      let call = try await service.loads.next()
      #expect(call.request == PageRequest(cursor: Self.cursor, size: 3))
      #expect(model.state.isLoadingNextPage && !model.state.isRefreshing)
      #expect(model.state.posts == .numbered(1...3), "the posts stay while the next page loads")
      try await states.first { $0.isLoadingNextPage }
      call.succeed(.numbered(3...5))
      await load.value
      #expect(model.state.posts == .numbered(1...5))
      #expect(!model.state.hasMore && !model.state.isLoading)
      await model.loadNextPage().value
      #expect(service.loads.requests.count == 2, "there is no page after the last one")
    }
  }

  @Test(
    "a failed next page keeps the posts, sends no alert, and can be retried",
    arguments: ContractStage.allCases)
  func failure(stage: ContractStage) async throws {
    try await withFirstPage(stage) { model in
      let events = StateRecorder(model.events())
      await model.retry().value
      #expect(service.loads.requests.count == 1, "nothing has failed")
      await model.loadNextPage()
      try await service.loads.next().fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.nextPageFailure as? ServiceError == .busy)
      #expect(model.state.posts == .numbered(1...3) && model.state.hasMore)
      let retried = await model.retry()
      let call = try await service.loads.next()
      #expect(call.request == PageRequest(cursor: Self.cursor, size: 3))
      #expect(model.state.nextPageFailure == nil)
      call.succeed(.numbered(4...5))
      await retried.value
      #expect(model.state.posts == .numbered(1...5))
      #expect(model.state.nextPageFailure == nil)
      try model.select(5)
      try await events.first { $0 == .opened(5) }
      #expect(events.states == [.opened(5)])
    }
  }

  @Test(
    "a refresh that fails while no screen observes the posts leaves its failure in the state, and can be retried",
    arguments: ContractStage.allCases)
  func unobservedRefresh(stage: ContractStage) async throws {
    try await withFirstPage(stage) { model in
      await model.refresh()
      try await service.loads.next().fail(ServiceError.busy)
      await model.settle()
      try #require(model.state.refreshFailure as? ServiceError == .busy)
      #expect(model.state.posts == .numbered(1...3) && model.state.hasMore)
      let retried = await model.retry()
      let call = try await service.loads.next()
      #expect(call.request == PageRequest(size: 3))
      #expect(model.state.refreshFailure == nil)
      call.succeed(.numbered(4...5))
      await retried.value
      #expect(model.state.posts == .numbered(4...5) && model.state.refreshFailure == nil)
    }
  }

  @Test(
    "after a cursor has expired, the posts stay and end, and a retry loads the first page again",
    arguments: ContractStage.allCases)
  func expired(stage: ContractStage) async throws {
    try await withFirstPage(stage) { model in
      await model.loadNextPage()
      let expired = PageError.expired(PageCursor(rawValue: Self.cursor))
      try await service.loads.next().fail(expired)
      await model.settle()
      #expect(model.state.nextPageFailure as? PageError == expired)
      #expect(model.state.posts == .numbered(1...3) && !model.state.hasMore)
      await model.loadNextPage().value
      #expect(service.loads.requests.count == 2, "the request would fail again")
      let retried = await model.retry()
      let call = try await service.loads.next()
      #expect(call.request == PageRequest(size: 3))
      call.succeed(.numbered([2, 3, 4]))
      await retried.value
      #expect(model.state.posts == .numbered([2, 3, 4]))
      #expect(model.state.nextPageFailure == nil)
    }
  }

  @Test(
    "a refresh replaces the load of a next page, and its late answer is never shown",
    arguments: ContractStage.allCases)
  func refreshReplaces(stage: ContractStage) async throws {
    let service = ScriptedPostService(ignoringCancellation: true)
    try await withFirstPage(stage, service) { model in
      let states = StateRecorder(model.states(.unbounded))
      let load = await model.loadNextPage()
      let late = try await service.loads.next()
      let refreshed = await model.refresh()
      let call = try await service.loads.next()
      await late.waitForCancellation()
      late.succeed(.numbered([9]))
      call.succeed(.numbered(5...7))
      await refreshed.value
      await load.value
      #expect(model.state.posts == .numbered(5...7))
      #expect(!model.state.hasMore)
      try await states.first { $0.posts == .numbered(5...7) }
      #expect(!states.states.contains { $0.posts.contains { $0.id == 9 } })
    }
  }

  @Test("a cancelled load of a next page leaves the posts as they are", arguments: ContractStage.allCases)
  func cancel(stage: ContractStage) async throws {
    try await withFirstPage(stage) { model in
      let load = await model.loadNextPage()
      let call = try await service.loads.next()
      await model.cancel()
      await load.value
      await call.waitForCancellation()
      #expect(!model.state.isLoading && model.state.hasMore)
      #expect(model.state.posts == .numbered(1...3))
      await model.loadNextPage()
      try await service.loads.next().succeed(.numbered(4...4))
      await model.settle()
      #expect(model.state.posts == .numbered(1...4))
    }
  }

  @Test(
    "deleted posts do not come back with a next page, and a restored one is shown at its place",
    arguments: ContractStage.allCases)
  func deletions(stage: ContractStage) async throws {
    try await withFirstPage(stage) { model in
      let early = model.delete(2)
      try await service.deletions.next().succeed()
      try await early.value
      await model.loadNextPage()
      let call = try await service.loads.next()
      let meanwhile = model.delete(3)
      try await service.deletions.next().succeed()
      try await meanwhile.value
      // The page was read before the deletion, and the list has moved since the first page.
      call.succeed(.numbered([3, 4, 5]))
      await model.settle()
      #expect(model.state.posts == .numbered([1, 4, 5]))
      for id in [2, 3] as [Post.ID] {
        let restored = model.restore(id)
        try await service.restorations.next().succeed()
        try await restored.value
      }
      #expect(model.state.posts == .numbered(1...5))
    }
  }

  @Test(
    "a page that adds nothing and is not the last one ends the posts with an error",
    arguments: ContractStage.allCases)
  func endless(stage: ContractStage) async throws {
    try await withFirstPage(stage) { model in
      await model.loadNextPage()
      try await service.loads.next().succeed(.numbered(1...3, next: PageCursor(rawValue: "again")))
      await model.settle()
      let error = PageError.nothingNew(at: .cursor(PageCursor(rawValue: Self.cursor)))
      #expect(model.state.nextPageFailure as? PageError == error)
      #expect(!model.state.hasMore)
      await model.loadNextPage().value
      #expect(service.loads.requests.count == 2)
      let retried = await model.retry()
      let call = try await service.loads.next()
      #expect(call.request == PageRequest(cursor: Self.cursor, size: 3))
      call.succeed(.numbered(4...5))
      await retried.value
      #expect(model.state.posts == .numbered(1...5) && model.state.nextPageFailure == nil)
    }
  }

  @Test("callers that ask for the next page at once share one request", arguments: ContractStage.allCases)
  func joined(stage: ContractStage) async throws {
    try await withFirstPage(stage) { model in
      let loads = [
        await model.loadNextPage(), await model.loadNextPage(), await model.load(), await model.retry(),
      ]
      try await service.loads.next().succeed(.numbered(4...5))
      for load in loads { await load.value }
      #expect(service.loads.requests.count == 2)
      #expect(model.state.posts == .numbered(1...5))
    }
  }

  @Test(
    "a post that a page contains twice is shown once, as the later one", arguments: ContractStage.allCases)
  func duplicate(stage: ContractStage) async throws {
    try await withFirstPage(stage) { model in
      await model.loadNextPage()
      let newer = Post(id: 4, title: "Newer", body: "")
      try await service.loads.next().succeed(Page(items: .numbered([4, 5]) + [newer], next: nil))
      await model.settle()
      #expect(model.state.nextPageFailure == nil)
      let posts: [Post] = .numbered(1...3) + [newer] + .numbered([5])
      #expect(model.state.posts == posts)
    }
  }

  @Test("a view model that is released cancels the load of its next page", arguments: ContractStage.allCases)
  func release(stage: ContractStage) async throws {
    var call: ScriptedCall<PageRequest, Page<Post>>?
    try await withFirstPage(stage) { model in
      await model.loadNextPage()
      call = try await service.loads.next()
    }
    await call?.waitForCancellation()
  }

  private func withFirstPage(
    _ stage: ContractStage, _ service: ScriptedPostService? = nil,
    _ body: (any PostsDriver) async throws -> Void
  ) async throws {
    let service = service ?? self.service
    try await stage.check { tracker in
      let model = stage.makePosts(service: service, pageSize: 3)
      tracker.track(model.subject)
      let load = await model.load()
      try await service.loads.next().succeed(.numbered(1...3, next: PageCursor(rawValue: Self.cursor)))
      await load.value
      try await body(model)
    }
  }
}
