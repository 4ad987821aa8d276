import AsyncViewModels
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels
import Synchronization

/// What the posts' contract needs of a stage.
///
/// An intent returns when it has been handed over. The task of a deletion ends with its answer, and does not hold the view model.
package protocol PostsDriver: Sendable {
  /// The view model itself, to see that it goes away.
  var subject: any AnyObject & Sendable { get }

  var state: PostsState { get }
  func states() -> AsyncStream<PostsState>
  func events() -> AsyncStream<PostsEvent>
  func load() async
  func refresh() async
  func select(_ id: Post.ID) async throws
  @discardableResult func delete(_ id: Post.ID) async -> Task<Void, any Error>

  /// Returns when every list that was answered has been taken in or thrown away. To be used while none is on its way.
  func settle() async
}

extension MigrationStage {
  /// The posts' view model of this stage, on a service that speaks both forms. Only the async stage has a host.
  package func makePosts(
    service: any PostService & PostClosureService, isolation: any Actor = Isolation()
  ) -> any PostsDriver {
    makePosts(service: service, closures: service, isolation: isolation)
  }

  /// The posts' view model of this stage, on the service whose form it needs.
  package func makePosts(
    service: any PostService, closures: any PostClosureService, isolation: any Actor = Isolation()
  ) -> any PostsDriver {
    let queue = DispatchQueue(label: "callbacks")
    return switch self {
    case .closure:
      PostsClosureDriver(viewModel: PostsClosureViewModel(service: closures, callbackQueue: queue))
    case .stream:
      PostsStreamDriver(viewModel: PostsStreamViewModel(service: closures, callbackQueue: queue))
    case .async: PostsAsyncDriver(PostsViewModel(service: service, isolation: isolation))
    }
  }
}

private final class PostsAsyncDriver: PostsDriver {
  let viewModel: PostsViewModel
  private let loads = Mutex<[Task<Void, Never>]>([])
  init(_ viewModel: PostsViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: PostsState { viewModel.state }
  func states() -> AsyncStream<PostsState> { viewModel.states() }
  func events() -> AsyncStream<PostsEvent> { viewModel.events() }

  func load() async { note(await viewModel.load()) }
  func refresh() async { note(await viewModel.refresh()) }
  func select(_ id: Post.ID) async throws { try await viewModel.select(id) }
  func delete(_ id: Post.ID) async -> Task<Void, any Error> { await viewModel.delete(id) }

  func settle() async { for load in loads.withLock({ $0 }) { await load.value } }

  private func note(_ load: Task<Void, Never>) { loads.withLock { $0.append(load) } }
}

private struct PostsStreamDriver: PostsDriver {
  let viewModel: PostsStreamViewModel

  var subject: any AnyObject & Sendable { viewModel }
  var state: PostsState { viewModel.state }
  func states() -> AsyncStream<PostsState> { viewModel.states() }
  func events() -> AsyncStream<PostsEvent> { viewModel.events() }

  func load() async { viewModel.load() }
  func refresh() async { viewModel.refresh() }
  func select(_ id: Post.ID) async throws {
    try await completion(of: { viewModel.select(id, completion: $0) })
  }
  func delete(_ id: Post.ID) async -> Task<Void, any Error> {
    completionTask { viewModel.delete(id, completion: $0) }
  }

  func settle() async { try? await select(.nobody) }
}

private struct PostsClosureDriver: PostsDriver {
  let viewModel: PostsClosureViewModel

  var subject: any AnyObject & Sendable { viewModel }
  var state: PostsState { viewModel.state }
  func states() -> AsyncStream<PostsState> { boundStates { viewModel.bind($0) } }
  func events() -> AsyncStream<PostsEvent> { boundStates { viewModel.bindEvents($0) } }

  func load() async { viewModel.load() }
  func refresh() async { viewModel.refresh() }
  func select(_ id: Post.ID) async throws {
    try await completion(of: { viewModel.select(id, completion: $0) })
  }
  func delete(_ id: Post.ID) async -> Task<Void, any Error> {
    completionTask { viewModel.delete(id, completion: $0) }
  }

  func settle() async { try? await select(.nobody) }
}

extension Post.ID {
  /// Nobody's: an intent that is refused does no more than wait for the queue.
  fileprivate static let nobody = Self(rawValue: .min)
}
