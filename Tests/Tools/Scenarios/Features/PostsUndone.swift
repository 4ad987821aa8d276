import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization

extension Scenario {
  static let postsUndone = inEachStage(
    "posts/undone",
    """
    two posts of different pages are deleted, undone and deleted again while pages are loaded and loaded again, the service fails and \
    loses answers, and the user taps some buttons twice: in the end, the list shows the posts of the service, each \
    deletion is undone at most once, a change is sent again only if it has failed, and the service never has \
    two changes of one post at the same time
    """, tasks: 4
  ) { world, stage, tracker in
    let service = RestorablePosts(world: world)
    let model = stage.makePosts(service: service, pageSize: 2, isolation: world.isolation)
    tracker.track(model.subject)
    await model.load()
    await model.loadNextPage()
    await world.settle()
    service.beginFailing()
    let events = model.events()
    let screen = world.spawn("screen") {
      var tapsLeft = 3
      for await event in events {
        guard tapsLeft > 0, let action = event.firstAction else { continue }
        tapsLeft -= 1
        if world.flip() { await Task.yield() }
        let taps = (0...world.choose(2)).map { _ in model.perform(action) }
        if world.flip() { for tap in taps { _ = await tap.result } }
      }
    }
    for id in [1, 4] as [Post.ID] {
      world.spawn("deletes \(id)") {
        let deletion = model.delete(id)
        if world.flip() { _ = await deletion.result } else if world.flip() { await Task.yield() }
        // Without an offer: perhaps before the service has answered.
        if world.flip() { _ = await model.restore(id).result }
      }
    }
    world.spawn("refreshes", canBeLeftOut: true) {
      for _ in 0...world.choose(2) {
        await model.refresh()
        try await world.faults.latency()
      }
    }
    world.spawn("scrolls", canBeLeftOut: true) {
      for _ in 0...world.choose(2) {
        try await world.faults.latency()
        if model.state.nextPageFailure == nil { await model.loadNextPage() } else { await model.retry() }
      }
    }
    await world.settle()

    world.expectEqual(model.state.deletionCount + model.state.restorationCount, 0, "changes left:")
    world.expect(!model.state.isLoading, "a load is left")
    // A lost answer can be known only to the service.
    let isConsistent = !service.hasLostAnswers
    service.endFailing()
    for isRefreshed in [false, true] {
      if isRefreshed { await model.refresh() }
      await world.settle()
      while model.state.hasMore {
        await model.loadNextPage()
        await world.settle()
      }
      if isRefreshed || isConsistent {
        world.expectEqual(
          model.state.posts, service.current, isRefreshed ? "shown after a refresh:" : "shown:")
      }
    }
    world.expectEqual(service.repetitions, [], "sent again after a success:")
    world.expectEqual(service.overlaps, [], "changed twice at the same time:")
    screen.cancel()
  }
}

extension PostsEvent {
  /// The action of the first button, which retries or undoes.
  fileprivate var firstAction: PostsAction? {
    switch self {
    case .alert(let alert), .offer(let alert): alert.buttons.first?.action
    case .route: nil
    }
  }
}

/// Six posts of a service that answers late, may refuse a change, and may lose the answer to a change that it has made.
private final class RestorablePosts: PostService, PostClosureService {
  private struct State {
    var deleted: Set<Post.ID> = []
    var isFailing = false
    var hasLostAnswers = false
    var running: Set<Post.ID> = []
    var overlaps: [Post.ID] = []
    /// The last change of each post, and whether the service has answered it with a success.
    var last: [Post.ID: (kind: Kind, isConfirmed: Bool)] = [:]
    var repetitions: [Post.ID] = []
  }

  private enum Kind { case deletion, restoration }

  private let world: SimulatedWorld
  private let state = Mutex(State())

  init(world: SimulatedWorld) { self.world = world }

  /// The posts that are not deleted.
  var current: [Post] {
    let deleted = state.withLock { $0.deleted }
    return (1...6).map { Post(id: Post.ID(rawValue: $0), title: "\($0)", body: "") }.filter {
      !deleted.contains($0.id)
    }
  }

  var hasLostAnswers: Bool { state.withLock { $0.hasLostAnswers } }
  /// The posts with changes that the service had at the same time.
  var overlaps: [Post.ID] { state.withLock { $0.overlaps } }

  /// The posts that were deleted or restored again although the same change had succeeded.
  var repetitions: [Post.ID] { state.withLock { $0.repetitions } }

  func beginFailing() { state.withLock { $0.isFailing = true } }
  func endFailing() { state.withLock { $0.isFailing = false } }

  func posts(_ page: PageRequest) async throws -> Page<Post> {
    // The list can be read before or after the wait.
    let isEarly = world.flip()
    let early = current
    try await world.faults.latency()
    try failAtTimes()
    let posts = (isEarly ? early : current).drop { $0.id.rawValue <= page.last }
    let items = Array(posts.prefix(page.size))
    let next = posts.count > page.size ? items.last.map { PageCursor(rawValue: "\($0.id)") } : nil
    return Page(items: items, next: next)
  }

  func delete(_ id: Post.ID) async throws {
    try await change(.deletion, of: id) { deleted in
      guard deleted.insert(id).inserted else { throw PostError.unknownPost(id) }
    }
  }

  func restore(_ id: Post.ID) async throws {
    try await change(.restoration, of: id) { deleted in _ = deleted.remove(id) }
  }

  private func change(
    _ kind: Kind, of id: Post.ID, _ body: (inout Set<Post.ID>) throws -> Void
  ) async throws {
    state.withLock { state in
      if !state.running.insert(id).inserted { state.overlaps.append(id) }
      if let last = state.last[id], last.kind == kind, last.isConfirmed { state.repetitions.append(id) }
      state.last[id] = (kind, false)
    }
    defer { state.withLock { _ = $0.running.remove(id) } }
    try await world.faults.latency()
    try failAtTimes()
    try state.withLock { try body(&$0.deleted) }
    try await world.faults.latency()
    do { try failAtTimes() } catch {
      state.withLock { $0.hasLostAnswers = true }
      throw error
    }
    state.withLock { $0.last[id] = (kind, true) }
  }

  private func failAtTimes() throws {
    if state.withLock({ $0.isFailing }) { try world.faults.failure(ServiceError.connectionLost) }
  }

  func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { [self] in try await posts(page) }
  }

  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    .run(completion: completion) { [self] in try await delete(id) }
  }

  func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    .run(completion: completion) { [self] in try await restore(id) }
  }
}

extension PageRequest {
  /// The number of the last post of the page before.
  fileprivate var last: Int { position.cursor.flatMap { Int($0.rawValue) } ?? 0 }
}
