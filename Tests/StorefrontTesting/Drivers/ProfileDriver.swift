package import AsyncViewModels
import AsyncViewModelsGCD
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the profile screen's view model of one stage, so that one test suite, the contract, can test all stages.
///
/// A method that starts a load calls an intent of the view model. In the async stage, the method returns when
/// the intent has taken effect. In the closure and stream stages, the method returns when the intent is in
/// the queue. The returned task ends when the intent ends. In the async stage, that task is the caller of the
/// intent: cancel the task to cancel the caller.
package protocol ProfileDriver: Sendable {
  /// The view model, for leak checks.
  var subject: any AnyObject & Sendable { get }

  var state: ProfileState { get }
  /// Returns a new stream of states. The closure stage delivers every state to it and ignores `buffering`.
  func states(_ buffering: BufferingPolicy) -> AsyncStream<ProfileState>
  @discardableResult func load() async -> Task<Void, Never>
  @discardableResult func refresh() async -> Task<Void, Never>
  func cancel() async
  func edit(_ field: ProfileField, to text: String) throws
  func revert() throws
  @discardableResult func save() -> Task<Void, any Error>
  @discardableResult func resolve(_ choice: ProfileConflictChoice) -> Task<Void, any Error>
  /// Starts a flush of the storage, and returns a task that ends with the result.
  @discardableResult func flush() -> Task<Void, any Error>
  /// Closes the form, and returns a task that ends when no write is in progress.
  @discardableResult func close() async -> Task<Void, Never>

  /// Returns when every started load is over.
  func settle() async
}

extension ProfileDriver {
  /// Returns a new stream of states, which may skip all but the latest one.
  package func states() -> AsyncStream<ProfileState> { states(.latest) }
}

extension MigrationStage {
  /// Creates the profile's view model of this stage, and returns its driver. Only the async stage uses `isolation`.
  package func makeProfile(
    restoring saved: SavedProfileDraft? = nil,
    service: any ProfileEditingService & ProfileEditingClosureService,
    storage: (any ProfileDraftStorage & ProfileDraftClosureStorage)? = nil,
    isolation: (any Actor)? = nil
  ) -> any ProfileDriver {
    makeProfile(
      restoring: saved, service: service, closures: service, storage: storage, isolation: isolation)
  }

  /// Creates the profile's view model of this stage, and returns its driver. The async stage uses `service` and `isolation`.
  /// The other stages use `closures`.
  package func makeProfile(
    restoring saved: SavedProfileDraft? = nil, service: any ProfileEditingService,
    closures: any ProfileEditingClosureService,
    storage: (any ProfileDraftStorage & ProfileDraftClosureStorage)? = nil,
    isolation: (any Actor)? = nil
  ) -> any ProfileDriver {
    let queue = DispatchQueue(label: "callbacks")
    return switch self {
    case .closure:
      ProfileClosureDriver(
        ProfileClosureViewModel(
          restoring: saved, service: closures, storage: storage, callbackQueue: queue))
    case .stream:
      ProfileStreamDriver(
        ProfileStreamViewModel(restoring: saved, service: closures, storage: storage, callbackQueue: queue))
    case .async:
      ProfileAsyncDriver(
        ProfileViewModel(restoring: saved, service: service, storage: storage, isolation: isolation))
    }
  }
}

private struct ProfileAsyncDriver: ProfileDriver {
  let viewModel: ProfileViewModel
  private let intents = StartedIntents()
  init(_ viewModel: ProfileViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProfileState { viewModel.state }
  func states(_ buffering: BufferingPolicy) -> AsyncStream<ProfileState> { viewModel.states(buffering) }

  func load() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.load() })
  }
  func refresh() async -> Task<Void, Never> {
    intents.note(await viewModel.start { await $0.refresh() })
  }
  func cancel() async { await viewModel.cancel() }
  func edit(_ field: ProfileField, to text: String) throws { try viewModel.edit(field, to: text) }
  func revert() throws { try viewModel.revert() }
  func save() -> Task<Void, any Error> { startIntent { [viewModel] in try await viewModel.save() } }
  func resolve(_ choice: ProfileConflictChoice) -> Task<Void, any Error> {
    startIntent { [viewModel] in try await viewModel.resolve(choice) }
  }
  func flush() -> Task<Void, any Error> { startIntent { [viewModel] in try await viewModel.flush() } }
  func close() async -> Task<Void, Never> { await viewModel.start { await $0.close() } }
  func settle() async { await intents.settle() }
}

private struct ProfileStreamDriver: ProfileDriver {
  let viewModel: ProfileStreamViewModel
  private let intents = StartedIntents()
  init(_ viewModel: ProfileStreamViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProfileState { viewModel.state }
  func states(_ buffering: BufferingPolicy) -> AsyncStream<ProfileState> { viewModel.states(buffering) }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
  func edit(_ field: ProfileField, to text: String) throws { try viewModel.edit(field, to: text) }
  func revert() throws { try viewModel.revert() }
  func save() -> Task<Void, any Error> { resultTask { viewModel.save(completion: $0) } }
  func resolve(_ choice: ProfileConflictChoice) -> Task<Void, any Error> {
    resultTask { viewModel.resolve(choice, completion: $0) }
  }
  func flush() -> Task<Void, any Error> { resultTask { viewModel.flush(completion: $0) } }
  func close() -> Task<Void, Never> { completionTask { viewModel.close(completion: $0) } }
  func settle() async { await intents.settle() }
}

private struct ProfileClosureDriver: ProfileDriver {
  let viewModel: ProfileClosureViewModel
  private let intents = StartedIntents()
  init(_ viewModel: ProfileClosureViewModel) { self.viewModel = viewModel }

  var subject: any AnyObject & Sendable { viewModel }
  var state: ProfileState { viewModel.state }
  func states(_: BufferingPolicy) -> AsyncStream<ProfileState> { boundStates { viewModel.bind($0) } }

  func load() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.load(completion: $0) })
  }
  func refresh() -> Task<Void, Never> {
    intents.note(completionTask { viewModel.refresh(completion: $0) })
  }
  func cancel() { viewModel.cancel() }
  func edit(_ field: ProfileField, to text: String) throws { try viewModel.edit(field, to: text) }
  func revert() throws { try viewModel.revert() }
  func save() -> Task<Void, any Error> { resultTask { viewModel.save(completion: $0) } }
  func resolve(_ choice: ProfileConflictChoice) -> Task<Void, any Error> {
    resultTask { viewModel.resolve(choice, completion: $0) }
  }
  func flush() -> Task<Void, any Error> { resultTask { viewModel.flush(completion: $0) } }
  func close() -> Task<Void, Never> { completionTask { viewModel.close(completion: $0) } }
  func settle() async { await intents.settle() }
}
