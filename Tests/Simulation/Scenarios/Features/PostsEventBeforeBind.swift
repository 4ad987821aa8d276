import Domain
import ViewModelTesting
import ViewModels

extension Scenario {
  static let postsEventBeforeBind = Scenario(
    "posts/event-before-bind",
    """
    the alert of a failed deletion and the navigation of a tap arrive exactly once, whether \
    the screen binds before or after; a post whose deletion failed is back
    """, tasks: 4
  ) { world in
    struct Service: PostService {
      let world: World
      let failures: EventLog<Int>

      func posts() async throws -> [Post] {
        try await world.faults.latency()
        return (1...3).map { Post(id: Post.ID(rawValue: $0), title: "\($0)", body: "") }
      }
      func delete(_ id: Post.ID) async throws {
        try await world.faults.latency()
        do { try world.faults.failure(ServiceError.timedOut) } catch {
          failures.append(id.rawValue)
          throw error
        }
      }
    }
    let failures = EventLog<Int>()
    let model = PostsViewModel(
      service: Service(world: world, failures: failures), isolation: world.isolation)
    await model.load().value
    let seen = EventLog<PostsEvent>()
    world.spawn("taps") { try await model.select(2) }
    for id in [1, 3] {
      world.spawn("deletes \(id)") {
        _ = try? await model.delete(Post.ID(rawValue: id)).value
      }
    }
    world.spawn("refreshes", canBeLeftOut: true) { await model.refresh().value }
    for _ in 0..<world.choose(3) { await Task.yield() }
    let events = model.events()
    let screen = world.spawn("screen") { for await event in events { seen.append(event) } }
    await world.settle()
    let routes = seen.values.count { $0 == .route(.post(2)) }
    world.expectEqual(routes, 1, "the navigation:")
    world.expectEqual(seen.values.count - routes, failures.values.count, "alerts:")
    world.expectEqual(model.state.deletionCount, 0, "deletions under way:")
    for id in failures.values {
      world.expect(
        model.state.posts.contains { $0.id.rawValue == id }, "\(id) is gone, though it was not deleted")
    }
    screen.cancel()
  }
}
