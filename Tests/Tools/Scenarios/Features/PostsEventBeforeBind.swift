import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let postsEventBeforeBind = inEachStage(
    "posts/event-before-bind",
    """
    the alert of a failed deletion, the offer to undo another one and the navigation of a tap arrive exactly \
    once, whether the screen binds before or after them (in the closure stage, events before the bind are \
    lost); a post whose deletion failed is back
    """, tasks: 4
  ) { world, stage, tracker in
    let service = ShakyPosts(world: world)
    let model = stage.makePosts(service: service, isolation: world.isolation)
    tracker.track(model.subject)
    await model.load()
    await world.settle()
    let seen = EventLog<PostsEvent>()
    let tapped = EventLog<Void>()
    world.spawn("taps") {
      try model.select(2)
      tapped.begin()
    }
    for id in [1, 3] {
      world.spawn("deletes \(id)") {
        _ = try? await model.delete(Post.ID(rawValue: id)).value
      }
    }
    world.spawn("refreshes", canBeLeftOut: true) { await model.refresh() }
    for _ in 0..<world.choose(3) { await Task.yield() }
    let (tapsBefore, alertsBefore) = (tapped.begun, service.failures.values.count)
    let events = model.events()
    let screen = world.spawn("screen") { for await event in events { seen.append(event) } }
    await world.settle()

    let routes = seen.values.count { $0 == .route(.post(2)) }
    let offers = seen.values.count { if case .offer = $0 { true } else { false } }
    let (alerts, failures) = (seen.values.count - routes - offers, service.failures.values)
    if stage == .closure {
      // Events before the bind are lost. An event at the same time as the bind may be lost, too.
      world.expect(routes <= 1 - tapsBefore, "\(routes) navigations, \(tapsBefore) taps before the bind")
      world.expect(alerts <= failures.count, "\(alerts) alerts for \(failures.count) failures")
      if alertsBefore == 0 { world.expectEqual(alerts, failures.count, "alerts after the bind:") }
      world.expect(
        offers <= service.deleted.values.count, "\(offers) offers, \(service.deleted.values) are deleted")
    } else {
      world.expectEqual(routes, 1, "the navigation:")
      world.expectEqual(alerts, failures.count, "alerts:")
      world.expectEqual(offers, service.deleted.values.count, "offers:")
    }
    world.expectEqual(model.state.deletionCount, 0, "deletions left:")
    for id in failures {
      world.expect(
        model.state.posts.contains { $0.id.rawValue == id }, "\(id) is gone, though it was not deleted")
    }
    let deleted = model.state.posts.filter { service.deleted.values.contains($0.id.rawValue) }
    world.expectEqual(deleted, [], "back, though they were deleted:")
    screen.cancel()
  }
}

/// Three posts whose deletion and restoration are late and may fail. The answer to a load in flight still contains a post that is
/// deleted meanwhile.
struct ShakyPosts: PostService, PostClosureService {
  let world: SimulatedWorld
  let deleted = EventLog<Int>()
  let restored = EventLog<Int>()
  let failures = EventLog<Int>()

  private func isDeleted(_ id: Int) -> Bool {
    deleted.values.count { $0 == id } > restored.values.count { $0 == id }
  }

  func posts(_ page: PageRequest) async throws -> Page<Post> {
    let posts = (1...3).filter { !isDeleted($0) }.map {
      Post(id: Post.ID(rawValue: $0), title: "\($0)", body: "")
    }
    try await world.faults.latency()
    return Page(items: posts, next: nil)
  }

  func delete(_ id: Post.ID) async throws {
    try await world.faults.latency()
    do { try world.faults.failure(ServiceError.timedOut) } catch {
      failures.append(id.rawValue)
      throw error
    }
    deleted.append(id.rawValue)
  }

  func restore(_ id: Post.ID) async throws {
    try await world.faults.latency()
    try world.faults.failure(ServiceError.timedOut)
    if isDeleted(id.rawValue) { restored.append(id.rawValue) }
  }

  func posts(
    _ page: PageRequest, completion: @escaping @Sendable (Result<Page<Post>, any Error>) -> Void
  ) -> CancellationToken {
    callBack(in: world, completion) { try await posts(page) }
  }

  func delete(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    .run(completion: completion) { try await delete(id) }
  }

  func restore(
    _ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    .run(completion: completion) { try await restore(id) }
  }
}
