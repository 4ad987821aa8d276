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
    two posts are deleted, undone and deleted again while the list is refreshed, the service fails and loses \
    answers, and the user taps some buttons twice: in the end, the list shows the posts of the service, each \
    deletion is undone at most once, and the service never has two changes of one post at the same time
    """, tasks: 4
  ) { world, stage, tracker in
    let service = RestorablePosts(world: world)
    let model = stage.makePosts(service: service, isolation: world.isolation)
    tracker.track(model.subject)
    await model.load()
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
    for id in [1, 3] as [Post.ID] {
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
    await world.settle()

    world.expectEqual(model.state.deletionCount + model.state.restorationCount, 0, "changes left:")
    world.expect(!model.state.isLoading, "a load is left")
    // A lost answer can be known only to the service.
    if !service.hasLostAnswers { world.expectEqual(model.state.posts, service.current, "shown:") }
    service.endFailing()
    await model.refresh()
    await world.settle()
    world.expectEqual(model.state.posts, service.current, "shown after a refresh:")
    for id in [1, 3] as [Post.ID] {
      let (deletions, restorations) = service.changeCounts(of: id)
      world.expect(restorations <= deletions, "\(deletions) deletions of \(id), \(restorations) restorations")
    }
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

/// Three posts of a service that answers late, may refuse a change, and may lose the answer to a change that it has made.
private final class RestorablePosts: PostService, PostClosureService {
  private struct State {
    var deleted: Set<Post.ID> = []
    var isFailing = false
    var hasLostAnswers = false
    var running: Set<Post.ID> = []
    var overlaps: [Post.ID] = []
    var counts: [Post.ID: (deletions: Int, restorations: Int)] = [:]
  }

  private let world: SimulatedWorld
  private let state = Mutex(State())

  init(world: SimulatedWorld) { self.world = world }

  /// The posts that are not deleted.
  var current: [Post] {
    let deleted = state.withLock { $0.deleted }
    return (1...3).map { Post(id: Post.ID(rawValue: $0), title: "\($0)", body: "") }.filter {
      !deleted.contains($0.id)
    }
  }

  var hasLostAnswers: Bool { state.withLock { $0.hasLostAnswers } }
  /// The posts with changes that the service had at the same time.
  var overlaps: [Post.ID] { state.withLock { $0.overlaps } }

  /// The numbers of the deletions and restorations of a post that had an effect.
  func changeCounts(of id: Post.ID) -> (deletions: Int, restorations: Int) {
    state.withLock { $0.counts[id] ?? (0, 0) }
  }

  func beginFailing() { state.withLock { $0.isFailing = true } }
  func endFailing() { state.withLock { $0.isFailing = false } }

  func posts() async throws -> [Post] {
    // The list can be read before or after the wait.
    let isEarly = world.flip()
    let early = current
    try await world.faults.latency()
    try failAtTimes()
    return isEarly ? early : current
  }

  func delete(_ id: Post.ID) async throws {
    try await change(id) { state in
      guard state.deleted.insert(id).inserted else { throw PostError.unknownPost(id) }
      state.counts[id, default: (0, 0)].deletions += 1
    }
  }

  func restore(_ id: Post.ID) async throws {
    try await change(id) { state in
      if state.deleted.remove(id) != nil { state.counts[id, default: (0, 0)].restorations += 1 }
    }
  }

  private func change(_ id: Post.ID, _ body: (inout sending State) throws -> Void) async throws {
    state.withLock { if !$0.running.insert(id).inserted { $0.overlaps.append(id) } }
    defer { state.withLock { _ = $0.running.remove(id) } }
    try await world.faults.latency()
    try failAtTimes()
    try state.withLock { try body(&$0) }
    try await world.faults.latency()
    do { try failAtTimes() } catch {
      state.withLock { $0.hasLostAnswers = true }
      throw error
    }
  }

  private func failAtTimes() throws {
    if state.withLock({ $0.isFailing }) { try world.faults.failure(ServiceError.connectionLost) }
  }

  func posts(completion: @escaping @Sendable (Result<[Post], any Error>) -> Void) -> CancellationToken {
    callBack(in: world, completion) { [self] in try await posts() }
  }

  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    performAsync(completion: completion) { [self] in try await delete(id) }
  }

  func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    performAsync(completion: completion) { [self] in try await restore(id) }
  }
}
