public import AsyncViewModels
public import StorefrontDomain

/// The profile and its form, in the async stage.
///
/// - Isolation: The host's for loads. Edits and saves take effect before they return or suspend, on the caller's thread. Use `state`
///   and `states()` from any thread.
/// - Ordering: Loads take effect in the order in which they reach the actor. The answer to a superseded load is dropped, and its
///   callers wait for the newer one. One save is in progress at a time.
/// - Cancellation: A cancelled caller of a load returns at once, and the load is cancelled unless another caller waits for it. A save
///   is never cancelled, and finishes even if the view model is released.
/// - Hazards: None of the earlier stages: any number of observers, and no edit waits for a queue.
public actor ProfileViewModel: ViewModelActor {
  public nonisolated let hosted: HostedState<ProfileState>
  private let liveObject = LiveObjectToken(.viewModel, "ProfileViewModel")
  private let service: any ProfileEditingService
  private let slot = TaskSlot(.latest)

  /// Creates a screen of a profile. It loads nothing until the first intent.
  public init(service: any ProfileEditingService, isolation: any Actor = Isolation()) {
    hosted = HostedState(ProfileState(), on: isolation)
    self.service = service
  }

  /// Loads the profile, unless it is loaded. Joins a load that is in progress.
  public func load() async { await perform(.load) }

  /// Loads the profile again, and replaces a load in progress. The edited fields stay. After a failure, the old profile stays.
  public func refresh() async { await perform(.refresh) }

  /// Cancels the load in progress and restores the state before it. A save continues.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancel() }
    slot.cancel()
  }

  /// Changes a field. An invalid value is in the state's errors.
  ///
  /// - Throws: ``ProfileEditError/notLoaded``.
  public nonisolated func edit(_ field: ProfileField, to text: String) throws(ProfileEditError) {
    _ = try begin(.edit(field, to: text))
  }

  /// Restores the confirmed profile.
  ///
  /// - Throws: ``ProfileEditError/notLoaded`` or ``ProfileEditError/saveInProgress``.
  public nonisolated func revert() throws(ProfileEditError) {
    _ = try begin(.revert)
  }

  /// Saves the form. The profile shows it at once; the call returns when the service has answered. Nothing is sent if the form does
  /// not differ from the confirmed profile.
  ///
  /// - Throws: A ``ProfileEditError`` if the form cannot be saved now, a ``/StorefrontDomain/ProfileError`` if the service refuses it.
  ///   Otherwise the reason that the service did not answer. The profile is then as it was, and the form keeps the typed text.
  public nonisolated func save() async throws { try await perform(.save) }

  /// Resolves a conflict: saves the form over the service's profile, as ``save()`` does, or replaces the form with it.
  public nonisolated func resolve(_ choice: ProfileConflictChoice) async throws {
    try await perform(.resolve(choice))
  }

  private func perform(_ intent: LoadIntent) async {
    guard state.needsRequest(for: intent) else { return await slot.wait() }
    store.update { $0.begin() }
    await slot.run(on: self) { [service] in
      try await service.profile()
    } commit: { model, outcome in
      model.store.update { $0.receive(outcome) }
    }
  }

  private nonisolated func perform(_ intent: ProfileIntent) async throws {
    guard let save = try begin(intent) else { return }
    try await runToCompletion { [service, store] in
      let result = await Result { try await service.save(save.draft, basedOn: save.version) }
      store.update { $0.endSave(TaskOutcome(result)) }
      _ = try result.get()
    }
  }

  private nonisolated func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    try store.update { state throws(ProfileEditError) in try state.begin(intent) }
  }
}
