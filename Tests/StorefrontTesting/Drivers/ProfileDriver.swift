import AsyncViewModels
import Dispatch
package import StorefrontDomain
package import StorefrontViewModels

/// Calls the profile screen's view model of one stage.
package protocol ProfileDriver: StageDriver where State == ProfileState {
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

private struct ProfileAsyncDriver: ProfileDriver, ModelDriver {
  let viewModel: ProfileViewModel
  let intents = StartedIntents()
  init(_ viewModel: ProfileViewModel) { self.viewModel = viewModel }

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
}

private struct ProfileStreamDriver: ProfileDriver, ModelDriver {
  let viewModel: ProfileStreamViewModel
  let intents = StartedIntents()
  init(_ viewModel: ProfileStreamViewModel) { self.viewModel = viewModel }

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
}

private struct ProfileClosureDriver: ProfileDriver, ModelDriver {
  let viewModel: ProfileClosureViewModel
  let intents = StartedIntents()
  init(_ viewModel: ProfileClosureViewModel) { self.viewModel = viewModel }

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
}
