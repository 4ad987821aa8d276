import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Creates the posts' view model of a stage, and checks that it is deallocated.
func withPosts<Result>(
  _ stage: ContractStage, _ service: ScriptedPostService, _ body: (any PostsDriver) async throws -> Result
) async throws -> Result {
  try await stage.check { tracker in
    let model = stage.makePosts(service: service)
    tracker.track(model.subject)
    return try await body(model)
  }
}

/// Creates the view model and loads posts.
func withLoadedPosts(
  _ stage: ContractStage, _ service: ScriptedPostService = ScriptedPostService(),
  _ posts: [Post] = .numbered(1...3),
  _ body: (any PostsDriver, ScriptedPostService) async throws -> Void
) async throws {
  try await withPosts(stage, service) { model in
    await model.load()
    try await service.loads.next().succeed(posts)
    await model.settle()
    try #require(model.state.posts == posts)
    try await body(model, service)
  }
}

extension [Post] {
  static func numbered(_ numbers: [Int]) -> [Post] {
    numbers.map { Post(id: Post.ID(rawValue: $0), title: "Post \($0)", body: "") }
  }

  static func numbered(_ numbers: ClosedRange<Int>) -> [Post] { numbered(numbers.map(\.self)) }
}

extension PostsEvent {
  static func opened(_ number: Int) -> PostsEvent { .route(.post(Post.ID(rawValue: number))) }

  static let refreshFailed = PostsEvent.alert(
    AlertMessage(title: "The posts could not be refreshed", message: "\(ServiceError.busy)"))

  static func deletionFailed(_ number: Int) -> PostsEvent {
    .alert(AlertMessage(title: "“Post \(number)” was not deleted", message: "\(ServiceError.busy)"))
  }
}
