import AsyncViewModels
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

  static let refreshFailed = failure("The posts could not be refreshed", retry: .refresh)

  static func deletionFailed(_ number: Int) -> PostsEvent {
    failure("“Post \(number)” was not deleted", retry: .delete(Post.ID(rawValue: number)))
  }

  static func restorationFailed(_ number: Int) -> PostsEvent {
    failure("“Post \(number)” was not restored", retry: .restore(Post.ID(rawValue: number)))
  }

  /// The offer to undo a deletion.
  static func deleted(_ number: Int) -> PostsEvent {
    .offer(
      AlertState(
        "“Post \(number)” was deleted",
        buttons: [
          .init("Undo", action: .restore(Post.ID(rawValue: number))), .init("Close", role: .cancel),
        ]))
  }

  private static func failure(_ title: String, retry: PostsAction) -> PostsEvent {
    .alert(
      AlertState(
        title, message: "\(ServiceError.busy)",
        buttons: [.init("Retry", action: retry), .init("Cancel", role: .cancel)]))
  }

  /// The action of the first button, which retries or undoes.
  var action: PostsAction? {
    switch self {
    case .alert(let alert), .offer(let alert): alert.buttons[0].action
    case .route: nil
    }
  }
}
