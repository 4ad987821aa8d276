import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// In the stages with completion handlers, the second call of a completion handler changes nothing.
@Suite("A service that calls each completion handler twice", .timeLimit(.minutes(1)))
struct RepeatedAnswersContract {
  private let service = RepeatingService()
  private let queue = DispatchQueue(label: "callbacks")

  @Test(
    "a second answer to a profile load keeps the typed text", arguments: [MigrationStage.closure, .stream])
  func profileLoad(stage: MigrationStage) async throws {
    let profile = stage.makeProfile(service: service)
    let load = await profile.load()
    try await service.answer(1)
    await load.value
    try profile.edit(.name, to: "Typed")
    try await service.answer(1)
    // Takes its turn on the view model's queue after the second answer.
    try profile.edit(.email, to: "typed@example.com")
    #expect(profile.state.draft?.name == "Typed")
  }

  @Test(
    "a second answer to a load of posts does not show a deleted post",
    arguments: [MigrationStage.closure, .stream])
  func postsLoad(stage: MigrationStage) async throws {
    let posts = stage.makePosts(service: service)
    let load = await posts.load()
    try await service.answer(1)
    await load.value
    let deletion = posts.delete(1)
    try await service.answer(2)
    try await deletion.value
    try await service.answer(2)
    // Takes its turn on the view model's queue after the second answers.
    try posts.select(2)
    #expect(posts.state.posts == .numbered(2...3))
  }

  @Test(
    "a save and a deletion whose answers come twice complete once",
    arguments: [MigrationStage.closure, .stream])
  func completions(stage: MigrationStage) async throws {
    let (saves, deletions) = (Tally(), Tally())
    let (profile, posts) = makeModels(stage)
    profile.load(completion: nil)
    posts.load(completion: nil)
    try await service.answer(2)
    try await until { profile.state.draft != nil && !posts.state.posts.isEmpty }
    try profile.edit(.name, to: "Typed")
    profile.save { _ in saves.increment() }
    posts.delete(1) { _ in deletions.increment() }
    try await service.answer(4)
    try await until { saves.count == 1 && deletions.count == 1 }
    try await service.answer(4)
    // Take their turns on the queues of the view models after the second answers.
    try profile.edit(.name, to: "Later")
    try posts.select(2)
    queue.sync {}
    #expect(saves.count == 1)
    #expect(deletions.count == 1)
  }

  private func makeModels(_ stage: MigrationStage) -> (any CompletingProfile, any CompletingPosts) {
    stage == .closure
      ? (
        ProfileClosureViewModel(service: service, callbackQueue: queue),
        PostsClosureViewModel(service: service, callbackQueue: queue)
      )
      : (
        ProfileStreamViewModel(service: service, callbackQueue: queue),
        PostsStreamViewModel(service: service, callbackQueue: queue)
      )
  }
}

/// The profile's view model of a stage with completion handlers.
private protocol CompletingProfile: Sendable {
  var state: ProfileState { get }
  func load(completion: (@Sendable () -> Void)?)
  func edit(_ field: ProfileField, to text: String) throws(ProfileEditError)
  func save(completion: @escaping @Sendable (Result<Void, any Error>) -> Void)
}

/// The posts' view model of a stage with completion handlers.
private protocol CompletingPosts: Sendable {
  var state: PostsState { get }
  func load(completion: (@Sendable () -> Void)?)
  func select(_ id: Post.ID) throws(PostError)
  func delete(_ id: Post.ID, completion: @escaping @Sendable (Result<Void, any Error>) -> Void)
}

extension ProfileClosureViewModel: CompletingProfile {}
extension ProfileStreamViewModel: CompletingProfile {}
extension PostsClosureViewModel: CompletingPosts {}
extension PostsStreamViewModel: CompletingPosts {}
