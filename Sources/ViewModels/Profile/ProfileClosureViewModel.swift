public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of the profile and its form, in the closure stage: completion handlers and one observer.
///
/// - Isolation: The private serial `queue` guards the load; the compiler does not check this. The observer and the
///   completion handlers are called on `callbackQueue`.
/// - Ordering: Intents, the methods that ask the view model to act, take effect in the order of the calls. ``edit(_:to:)``,
///   ``revert()``, ``cancel()`` and ``close(completion:)`` take effect before they return. All other intents take effect
///   asynchronously. If a new load replaces a running one, the answer to the old load is dropped, and the callers of both loads wait
///   for the new one. A save that begins while another save is in progress fails.
/// - Cancellation: Releasing the view model cancels the load. A save is never cancelled.
/// - Hazards: There is one observer, and a new binding replaces it. Observers and completion handlers keep alive the objects that
///   they capture strongly. ``edit(_:to:)``, ``revert()``, ``cancel()`` and ``close(completion:)`` wait for `queue`, so they deadlock
///   if they are called on `queue`, for example by a service that is starting a request, or by a storage that is starting a write.
public final class ProfileClosureViewModel: @unchecked Sendable {
  /// Called once, when the load is over: it has succeeded, failed or been cancelled.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Receives the result of a save or of the resolution of a conflict: success, or the error.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void
  /// Called once, when the form is closed.
  public typealias CloseCompletion = @Sendable () -> Void

  private let store: CallbackState<ProfileState>
  private let liveObject = LiveObjectToken(.viewModel, "ProfileClosureViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any ProfileEditingClosureService
  private let saver: StorageSaver<SavedProfileDraft?>?
  private let slot: RequestSlot
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
  ///     signs out, after the end of ``close(completion:)``. The next load for another user also removes them.
  public init(
    restoring saved: SavedProfileDraft? = nil, service: any ProfileEditingClosureService,
    storage: (any ProfileDraftClosureStorage)? = nil, callbackQueue: DispatchQueue = .main
  ) {
    let store = CallbackState(ProfileState(restoring: saved))
    self.store = store
    queue = DispatchQueue(label: "ProfileClosureViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    saver = storage.map { storage in
      StorageSaver(storage, containing: saved) {
        store.value.saved
      } report: { result in
        store.update { $0.recordWrite(result) }
      }
    }
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// The current state. An intent that takes effect asynchronously may not be included yet.
  public var state: ProfileState { store.value }

  /// Sets the observer, in place of the previous one. The observer receives the current state and then every later state, on
  /// `callbackQueue`.
  ///
  /// - Returns: A token that removes the observer when the token is cancelled or released.
  public func bind(_ observer: @escaping @Sendable (ProfileState) -> Void) -> CancellationToken {
    store.bind(on: callbackQueue, observer)
  }

  /// Loads the profile, unless it is already loaded. If a load or a refresh is in progress, joins it instead of sending another
  /// request.
  ///
  /// `completion` is called once, when the load is over, or right away if there is nothing to wait for.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the profile again, and replaces a load that is in progress. Edited fields keep their text. After a failure, the old
  /// profile stays.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load in progress, if any, and restores the state from before the load. A save continues.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard state.isLoading else { return nil }
      store.update { $0.cancel() }
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  /// Changes the text of a field. If the text is invalid, ``ProfileState/errors`` contains the error of the field.
  ///
  /// - Throws: ``ProfileEditError/notLoaded`` or ``ProfileEditError/closed``.
  public func edit(_ field: ProfileField, to text: String) throws(ProfileEditError) {
    _ = try begin(.edit(field, to: text))
  }

  /// Restores the text of the confirmed profile, on which the form is based. A conflict stays.
  ///
  /// - Throws: ``ProfileEditError/notLoaded``, ``ProfileEditError/saveInProgress`` or ``ProfileEditError/closed``.
  public func revert() throws(ProfileEditError) {
    _ = try begin(.revert)
  }

  /// Saves the form. The state shows the new profile without waiting for the service. `completion` is called once, when the save
  /// has succeeded or failed. If the form does not differ from the confirmed profile, the save succeeds without a request.
  ///
  /// The save fails with a ``ProfileEditError`` if the form cannot be saved now, and with a ``/StorefrontDomain/ProfileError`` if
  /// the service refuses the form. Any other failure is the error of the request. After a failure, the profile is as it was before
  /// the save, and the form keeps the typed text.
  public func save(completion: @escaping Completion = { _ in }) { perform(.save, completion) }

  /// Resolves a conflict: saves the form over the service's newer profile, as ``save(completion:)`` does, or
  /// replaces the text of the form with that profile. Fails with ``ProfileEditError/nothingToResolve`` if
  /// there is no conflict.
  public func resolve(_ choice: ProfileConflictChoice, completion: @escaping Completion = { _ in }) {
    perform(.resolve(choice), completion)
  }

  /// Saves what the storage lacks. Call this method before the storage is closed or the app is suspended: text that was typed during
  /// a save is saved only after it.
  ///
  /// `completion` is called once, when the storage contains the text of the form, or with the error of the write. Without a
  /// storage, it succeeds.
  public func flush(completion: @escaping Completion) {
    queue.async { [self] in
      guard let saver else { return complete(completion, .success(())) }
      saver.save { [callbackQueue] result in callbackQueue.async { completion(result) } }
    }
  }

  /// Closes the form for good, as ``ProfileState`` describes it. Call this method when the user signs out.
  ///
  /// After this call, nothing is sent, and only the write in progress, if any, continues. `completion` is called once, when that write
  /// has ended. Remove the contents of the storage after that.
  public func close(completion: CloseCompletion? = nil) {
    let cancelled = queue.sync { () -> CancellationToken? in
      store.update { $0.close() }
      callers.close(throwing: ProfileEditError.closed)
      return slot.cancel()
    }
    // Outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
    let complete: CloseCompletion = { [callbackQueue] in
      if let completion { callbackQueue.async(execute: completion) }
    }
    if let saver { saver.close(throwing: ProfileEditError.closed, completion: complete) } else { complete() }
  }

  private func perform(_ intent: LoadIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard state.needsRequest(for: intent) else { return slot.notify(completion) }
      store.update { $0.begin() }
      slot.run(completion) {
        service.profile(completion: $0)
      } receive: { [weak self] result in
        guard let self else { return }
        store.update { $0.receive(TaskOutcome(result)) }
        saver?.save()
      }
    }
  }

  private func perform(_ intent: ProfileIntent, _ completion: @escaping Completion) {
    let account = AccountVersion.current
    queue.async { [self] in
      do {
        let save = try store.update { state throws(ProfileEditError) in try state.begin(intent) }
        saver?.save()
        guard let save else { return complete(completion, .success(())) }
        send(save, for: account, completion)
      } catch {
        complete(completion, .failure(error))
      }
    }
  }

  private func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    let save = queue.sync {
      Result { () throws(ProfileEditError) in
        try store.update { state throws(ProfileEditError) in try state.begin(intent) }
      }
    }
    // Outside the queue, so that the caller does not wait for the storage with the queue.
    saver?.save()
    return try save.get()
  }

  private func send(_ save: ProfileSave, for account: AccountVersion, _ completion: @escaping Completion) {
    let caller = callers.add { [callbackQueue] result in callbackQueue.async { completion(result) } }
    runToCompletion { completion in
      account.run { service.save(save.draft, basedOn: save.version, completion: completion) }
    } completion: { [weak self, callers, endStoredSave] answer in
      let result = save.result(for: answer)
      guard let self else {
        endStoredSave?(TaskOutcome(result))
        return callers.complete(caller, result.map { _ in })
      }
      queue.async { self.endSave(result, caller) }
    }
  }

  /// Ends a save without the view model: the storage outlives it, and must not keep text that is saved. `nil` without a storage.
  private var endStoredSave: (@Sendable (TaskOutcome<Profile>) -> Void)? {
    guard let saver else { return nil }
    return { [store] outcome in
      store.update { $0.endSave(outcome) }
      saver.save()
    }
  }

  private func endSave(_ result: Result<Profile, any Error>, _ caller: ChangeCallers.ID) {
    store.update { $0.endSave(TaskOutcome(result)) }
    // Before the caller learns the result, so that it can wait for the storage.
    saver?.save()
    callers.complete(caller, result.map { _ in })
  }

  private func complete(_ completion: @escaping Completion, _ result: Result<Void, any Error>) {
    callbackQueue.async { completion(result) }
  }
}
