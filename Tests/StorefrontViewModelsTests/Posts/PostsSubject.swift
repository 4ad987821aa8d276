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
    let model = stage.makePosts(service: service, pageSize: 1_000)
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
    try await service.loads.next().succeed(Page(items: posts, next: nil))
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

extension PostsState {
  /// Begins to load the first page.
  mutating func begin() { begin(PageRequest(size: 50)) }
}

extension Page<Post> {
  /// The last page of posts.
  static func numbered(_ numbers: [Int], next: PageCursor? = nil) -> Page {
    Page(items: .numbered(numbers), next: next)
  }

  static func numbered(_ numbers: ClosedRange<Int>, next: PageCursor? = nil) -> Page {
    numbered(numbers.map(\.self), next: next)
  }
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
