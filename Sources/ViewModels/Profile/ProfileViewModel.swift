public import AsyncViewModels
public import StorefrontDomain

/// The view model of the profile and its form, in the async stage. See ``ProfileState``.
///
/// - Isolation: Edits and saves run on the caller's thread, loads on the executor of `isolation`.
/// - Ordering: Edits and saves take effect in call order, loads when they reach the actor.
/// - Cancellation: A save is never cancelled, and outlives the view model. A cancelled caller of a
///   load returns early. The last caller to leave cancels the load.
/// - Hazards: None known. Any number of observers; the compiler checks isolation.
public actor ProfileViewModel: ViewModelActor {
  public nonisolated let modelState: ModelState<ProfileState>
  private let liveObject = LiveObjectToken(.viewModel, "ProfileViewModel")
  private let service: any ProfileEditingService
  private let savedStore: SavedStore<StateStore<ProfileState>>
  private let slot = TaskSlot(.latest)
  private let callers = ChangeCallers()

  /// Creates a view model, and loads nothing.
  ///
  /// - Parameters:
  ///   - saved: The draft that `storage` contains, which the form shows again.
  ///   - storage: Keeps text that is not saved. See ``ProfileState``.
  public init(
    restoring saved: SavedProfileDraft? = nil, service: any ProfileEditingService,
    storage: (any ProfileDraftStorage)? = nil, isolation: (any Actor)? = nil
  ) {
    modelState = ModelState(ProfileState(restoring: saved), on: isolation)
    savedStore = SavedStore(modelState.store, in: storage?.asClosure, containing: saved)
    self.service = service
  }

  /// Loads the profile. See ``ProfileState``.
  public func load() async { await perform(.load) }

  /// Loads the profile again. See ``ProfileState``.
  public func refresh() async { await perform(.refresh) }

  /// Cancels the load. See ``ProfileState``.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancel() }
    slot.cancel()
  }

  /// Changes the text of a field. See ``ProfileState``.
  public nonisolated func edit(_ field: ProfileField, to text: String) throws(ProfileEditError) {
    _ = try begin(.edit(field, to: text))
  }

  /// Restores the text of the confirmed profile. See ``ProfileState``.
  public nonisolated func revert() throws(ProfileEditError) {
    _ = try begin(.revert)
  }

  /// Saves the form, and returns after success. See ``ProfileState``.
  public nonisolated func save() async throws { try await perform(.save) }

  /// Resolves a conflict, and returns after success. See ``ProfileState``.
  public nonisolated func resolve(_ choice: ProfileConflictChoice) async throws {
    try await perform(.resolve(choice))
  }

  /// Saves what the storage lacks. A cancelled caller also waits. See ``ProfileState``.
  public nonisolated func flush() async throws { try await savedStore.flush() }

  /// Closes the form for good. A cancelled caller also waits. See ``ProfileState``.
  public func close() async {
    store.update { $0.close() }
    store.finish()
    callers.close(throwing: ProfileEditError.closed)
    slot.cancel()
    await savedStore.close(throwing: ProfileEditError.closed)
  }

  private func perform(_ intent: LoadIntent) async {
    guard state.needsRequest(for: intent) else { return await slot.wait() }
    store.update { $0.begin() }
    await slot.run(on: self) { [service] in
      try await service.profile()
    } commit: { model, outcome in
      model.savedStore.update { $0.receive(outcome) }
    }
  }

  private nonisolated func perform(_ intent: ProfileIntent) async throws {
    let account = AccountVersion.current
    guard let save = try begin(intent) else { return }
    try await callers.run { [service, store, savedStore] in
      if store.value.isClosed { throw ProfileEditError.closed }
      let response = await Result {
        try await account.run { try await service.save(save.draft, basedOn: save.version) }
      }
      let result = save.result(for: response)
      savedStore.update { $0.endSave(TaskOutcome(result)) }
      _ = try result.get()
    }
  }

  private nonisolated func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    try savedStore.update { state throws(ProfileEditError) in try state.begin(intent) }
  }
}
