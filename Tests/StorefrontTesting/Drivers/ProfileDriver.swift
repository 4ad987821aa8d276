import AsyncViewModels
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels
import Synchronization

/// What the profile's contract needs of a stage.
///
/// An intent returns when it has been handed over. The task of a save ends with its answer, and does not hold the view model.
package protocol ProfileDriver: Sendable {
  /// The view model itself, to see that it goes away.
  var subject: any AnyObject & Sendable { get }

  var state: ProfileState { get }
  func states() -> AsyncStream<ProfileState>
  func load() async
  func edit(_ field: ProfileField, to text: String) async throws
  func revert() async throws
  @discardableResult func save() async -> Task<Void, any Error>
  @discardableResult func resolve(_ choice: ProfileConflictChoice) async -> Task<Void, any Error>
  func leave() async

  /// Returns when every load that was answered has been taken in or thrown away. To be used while none is on its way.
  func settle() async
}

extension MigrationStage {
  /// The profile's view model of this stage, on a service that speaks both forms. Only the async stage has a host.
  package func makeProfile(
    service: any ProfileEditingService & ProfileEditingClosureService,
    isolation: any Actor = Isolation()
  ) -> any ProfileDriver {
    makeProfile(service: service, closures: service, isolation: isolation)
  }

  /// The profile's view model of this stage, on the service whose form it needs.
  package func makeProfile(
    service: any ProfileEditingService, closures: any ProfileEditingClosureService,
    isolation: any Actor = Isolation()
  ) -> any ProfileDriver {
    let queue = DispatchQueue(label: "callbacks")
    return switch self {
    case .closure:
      ProfileClosureDriver(
        viewModel: ProfileClosureViewModel(service: closures, callbackQueue: queue))
    case .stream:
      ProfileStreamDriver(viewModel: ProfileStreamViewModel(service: closures, callbackQueue: queue))
    case .async: ProfileAsyncDriver(ProfileViewModel(service: service, isolation: isolation))
    }
  }
}

private final class ProfileAsyncDriver: ProfileDriver {
  let viewModel: ProfileViewModel
  private let loads = Mutex<[Task<Void, Never>]>([])
  init(_ viewModel: ProfileViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProfileState { viewModel.state }
  func states() -> AsyncStream<ProfileState> { viewModel.states() }

  func load() async {
    let load = await viewModel.load()
    loads.withLock { $0.append(load) }
  }
  func edit(_ field: ProfileField, to text: String) async throws { try await viewModel.edit(field, to: text) }
  func revert() async throws { try await viewModel.revert() }
  func save() async -> Task<Void, any Error> { await viewModel.save() }
  func resolve(_ choice: ProfileConflictChoice) async -> Task<Void, any Error> {
    await viewModel.resolve(choice)
  }
  func leave() async { await viewModel.leave() }

  func settle() async { for load in loads.withLock({ $0 }) { await load.value } }
}

private struct ProfileStreamDriver: ProfileDriver {
  let viewModel: ProfileStreamViewModel

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProfileState { viewModel.state }
  func states() -> AsyncStream<ProfileState> { viewModel.states() }

  func load() async { viewModel.load() }
  func edit(_ field: ProfileField, to text: String) async throws {
    try await completion(of: { viewModel.edit(field, to: text, completion: $0) })
  }
  func revert() async throws { try await completion(of: { viewModel.revert(completion: $0) }) }
  func save() async -> Task<Void, any Error> { completionTask { viewModel.save(completion: $0) } }
  func resolve(_ choice: ProfileConflictChoice) async -> Task<Void, any Error> {
    completionTask { viewModel.resolve(choice, completion: $0) }
  }
  func leave() async { viewModel.leave() }

  /// Where nothing is on its way, leaving does no more than wait for the queue.
  func settle() async { viewModel.leave() }
}

private struct ProfileClosureDriver: ProfileDriver {
  let viewModel: ProfileClosureViewModel

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProfileState { viewModel.state }
  func states() -> AsyncStream<ProfileState> { boundStates { viewModel.bind($0) } }

  func load() async { viewModel.load() }
  func edit(_ field: ProfileField, to text: String) async throws {
    try await completion(of: { viewModel.edit(field, to: text, completion: $0) })
  }
  func revert() async throws { try await completion(of: { viewModel.revert(completion: $0) }) }
  func save() async -> Task<Void, any Error> { completionTask { viewModel.save(completion: $0) } }
  func resolve(_ choice: ProfileConflictChoice) async -> Task<Void, any Error> {
    completionTask { viewModel.resolve(choice, completion: $0) }
  }
  func leave() async { viewModel.leave() }

  /// Where nothing is on its way, leaving does no more than wait for the queue.
  func settle() async { viewModel.leave() }
}
