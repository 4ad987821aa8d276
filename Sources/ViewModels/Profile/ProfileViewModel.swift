public import AsyncViewModels
public import StorefrontDomain

/// The view model of the profile and its form, in the async stage: an actor with async methods.
///
/// - Isolation: Loads run on the executor of the host, the actor that is passed as `isolation`. Edits and saves are nonisolated:
///   they take effect on the caller's thread, before they return or first suspend. Use `state` and `states()` from any thread.
/// - Ordering: Loads take effect in the order in which they reach the actor. If a new load replaces a running one, the answer to
///   the old load is dropped, and the callers of both loads wait for the new one. A save that begins while another save is in
///   progress fails.
/// - Cancellation: A cancelled caller of a load returns without waiting for the service. If no other caller waits for the load, the
///   load is cancelled. A save is never cancelled, and finishes even if the view model is released.
/// - Hazards: None of the hazards of the closure and stream stages: callers need no completion handlers, and no edit waits for a
///   queue.
public actor ProfileViewModel: ViewModelActor {
  public nonisolated let hosted: HostedState<ProfileState>
  private let liveObject = LiveObjectToken(.viewModel, "ProfileViewModel")
  private let service: any ProfileEditingService
  private let saver: StorageSaver<SavedProfileDraft?>?
  private let slot = TaskSlot(.latest)
  private let callers = ChangeCallers()

  /// Creates a view model. The initializer loads nothing.
  ///
  /// - Parameters:
  ///   - saved: The text of an earlier run of the app: the draft that `storage` contains. When the profile is loaded, edited fields
  ///     keep this text, and all other fields show the loaded profile. If an edited field was also changed elsewhere,
  ///     ``ProfileState/conflict`` is the loaded profile. The text of another user is dropped.
  ///   - storage: Keeps the text while it differs from the confirmed profile. It is saved after each edit. If a write fails,
  ///     ``ProfileState/storageFailure`` is the error. A storage belongs to one view model: use no second one with it, not even
  ///     after this one is released, while a save or a write is in progress. Remove its contents when the user
  ///     signs out, after the end of ``close()``. The next load for another user also removes them.
  public init(
    restoring saved: SavedProfileDraft? = nil, service: any ProfileEditingService,
    storage: (any ProfileDraftStorage)? = nil, isolation: (any Actor)? = nil
  ) {
    hosted = HostedState(ProfileState(restoring: saved), on: isolation)
    self.service = service
    let store = hosted.store
    saver = storage.map { storage in
      StorageSaver(storage.asClosure, containing: saved) {
        store.value.saved
      } report: { result in
        store.update { $0.recordWrite(result) }
      }
    }
  }

  /// Loads the profile, unless it is already loaded. If a load or a refresh is in progress, joins it instead of sending another
  /// request.
  public func load() async { await perform(.load) }

  /// Loads the profile again, and replaces a load that is in progress. Edited fields keep their text. After a failure, the old
  /// profile stays.
  public func refresh() async { await perform(.refresh) }

  /// Cancels the load in progress, if any, and restores the state from before the load. A save continues.
  public func cancel() {
    guard state.isLoading else { return }
    store.update { $0.cancel() }
    slot.cancel()
  }

  /// Changes the text of a field. If the text is invalid, ``ProfileState/errors`` contains the error of the field.
  ///
  /// - Throws: ``ProfileEditError/notLoaded`` or ``ProfileEditError/closed``.
  public nonisolated func edit(_ field: ProfileField, to text: String) throws(ProfileEditError) {
    _ = try begin(.edit(field, to: text))
  }

  /// Restores the text of the confirmed profile, on which the form is based. A conflict stays.
  ///
  /// - Throws: ``ProfileEditError/notLoaded``, ``ProfileEditError/saveInProgress`` or ``ProfileEditError/closed``.
  public nonisolated func revert() throws(ProfileEditError) {
    _ = try begin(.revert)
  }

  /// Saves the form. The state shows the new profile without waiting for the service. The call returns when the save has succeeded.
  /// If the form does not differ from the confirmed profile, the save succeeds without a request.
  ///
  /// - Throws: A ``ProfileEditError`` if the form cannot be saved now, and a ``/StorefrontDomain/ProfileError`` if the service
  ///   refuses the form. Any other error is the error of the request. After a failure, the profile is as it was before the save,
  ///   and the form keeps the typed text.
  public nonisolated func save() async throws { try await perform(.save) }

  /// Resolves a conflict: saves the form over the service's newer profile, as ``save()`` does, or replaces the text of the form
  /// with that profile.
  ///
  /// - Throws: The errors of ``save()``, and ``ProfileEditError/nothingToResolve`` if there is no conflict.
  public nonisolated func resolve(_ choice: ProfileConflictChoice) async throws {
    try await perform(.resolve(choice))
  }

  /// Saves what the storage lacks, and returns when the storage contains the text of the form. Call this method before the storage
  /// is closed or the app is suspended: text that was typed during a save is saved only after it. A cancelled caller also waits.
  ///
  /// - Throws: The error of the write.
  public nonisolated func flush() async throws { try await saver?.flush() }

  /// Closes the form for good, as ``ProfileState`` describes it. Call this method when the user signs out.
  ///
  /// The call returns when the write in progress, if any, has ended. Remove the contents of the storage after that. A cancelled caller
  /// also waits.
  public func close() async {
    store.update { $0.close() }
    store.finish()
    callers.close(throwing: ProfileEditError.closed)
    slot.cancel()
    await saver?.close(throwing: ProfileEditError.closed)
  }

  private func perform(_ intent: LoadIntent) async {
    guard state.needsRequest(for: intent) else { return await slot.wait() }
    store.update { $0.begin() }
    await slot.run(on: self) { [service] in
      try await service.profile()
    } commit: { model, outcome in
      model.store.update { $0.receive(outcome) }
      model.saver?.save()
    }
  }

  private nonisolated func perform(_ intent: ProfileIntent) async throws {
    let account = AccountVersion.current
    guard let save = try begin(intent) else { return }
    try await callers.run { [service, store, saver] in
      if store.value.isClosed { throw ProfileEditError.closed }
      let answer = await Result {
        try await account.run { try await service.save(save.draft, basedOn: save.version) }
      }
      let result = save.result(for: answer)
      store.update { $0.endSave(TaskOutcome(result)) }
      saver?.save()
      _ = try result.get()
    }
  }

  private nonisolated func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    let save = try store.update { state throws(ProfileEditError) in try state.begin(intent) }
    saver?.save()
    return save
  }
}
