public import AsyncViewModelsGCD
public import Dispatch
public import StorefrontDomain

/// The view model of the profile and its form, in the closure stage. See ``ProfileState``.
///
/// - Isolation: `queue` guards the load. Calls back on `callbackQueue`.
/// - Ordering: In call order; `edit`, `revert`, `cancel` and `close` take effect before they
///   return.
/// - Cancellation: Releasing the view model cancels the load. A save is never cancelled.
/// - Hazards: One observer. Callbacks retain their captures. `edit`, `revert`, `cancel` and `close`
///   deadlock on `queue`: in a service that starts a request, or a storage that starts a write.
public final class ProfileClosureViewModel: CallbackStateSource, @unchecked Sendable {
  /// Called once, when the load is over, or right away if there is none.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Receives the result of a save or of the resolution of a conflict, once.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void
  /// Called once, when the form is closed and no write is in progress.
  public typealias CloseCompletion = @Sendable () -> Void

  public let store: CallbackState<ProfileState>
  private let liveObject = LiveObjectToken(.viewModel, "ProfileClosureViewModel")
  private let queue: DispatchQueue
  public let callbackQueue: DispatchQueue
  private let service: any ProfileEditingClosureService
  private let savedStore: SavedStore<CallbackState<ProfileState>>
  private let slot: RequestSlot
  private let callers = ChangeCallers()

  /// Creates a view model, and loads nothing. See the initializer of ``ProfileViewModel``.
  public init(
    restoring saved: SavedProfileDraft? = nil, service: any ProfileEditingClosureService,
    storage: (any ProfileDraftClosureStorage)? = nil, callbackQueue: DispatchQueue = .main
  ) {
    store = CallbackState(ProfileState(restoring: saved))
    savedStore = SavedStore(store, in: storage, containing: saved)
    queue = DispatchQueue(label: "ProfileClosureViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// Loads the profile. See ``ProfileState``.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the profile again. See ``ProfileState``.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load. See ``ProfileState``.
  public func cancel() {
    slot.cancel { store.update { $0.cancel() } }
  }

  /// Changes the text of a field. See ``ProfileState``.
  public func edit(_ field: ProfileField, to text: String) throws(ProfileEditError) {
    _ = try begin(.edit(field, to: text))
  }

  /// Restores the text of the confirmed profile. See ``ProfileState``.
  public func revert() throws(ProfileEditError) {
    _ = try begin(.revert)
  }

  /// Saves the form. See ``ProfileState``.
  public func save(completion: @escaping Completion = { _ in }) { perform(.save, completion) }

  /// Resolves a conflict. See ``ProfileState``.
  public func resolve(_ choice: ProfileConflictChoice, completion: @escaping Completion = { _ in }) {
    perform(.resolve(choice), completion)
  }

  /// Saves what the storage lacks. Succeeds without a storage. See ``ProfileState``.
  public func flush(completion: @escaping Completion) {
    queue.async { [savedStore, callbackQueue] in
      savedStore.flush { result in callbackQueue.async { completion(result) } }
    }
  }

  /// Closes the form for good. See ``ProfileState``.
  public func close(completion: CloseCompletion? = nil) {
    let cancelled = queue.sync { () -> CancellationToken? in
      store.update { $0.close() }
      callers.close(throwing: ProfileEditError.closed)
      return slot.cancel()
    }
    cancelled?.cancel()
    savedStore.close(throwing: ProfileEditError.closed) { [callbackQueue] in
      if let completion { callbackQueue.async(execute: completion) }
    }
  }

  private func perform(_ intent: LoadIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard state.needsRequest(for: intent) else { return slot.notify(completion) }
      store.update { $0.begin() }
      slot.run(completion) {
        service.profile(completion: $0)
      } receive: { [weak self] result in
        self?.savedStore.update { $0.receive(TaskOutcome(result)) }
      }
    }
  }

  private func perform(_ intent: ProfileIntent, _ completion: @escaping Completion) {
    let account = AccountVersion.current
    queue.async { [self] in
      do {
        let save = try savedStore.update { try $0.begin(intent) }
        guard let save else { return complete(completion, .success(())) }
        send(save, for: account, completion)
      } catch {
        complete(completion, .failure(error))
      }
    }
  }

  private func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    // After the earlier intents, and outside the queue, which must not wait for the storage.
    queue.sync {}
    return try savedStore.update { state throws(ProfileEditError) in try state.begin(intent) }
  }

  private func send(_ save: ProfileSave, for account: AccountVersion, _ completion: @escaping Completion) {
    let caller = callers.add { [callbackQueue] result in callbackQueue.async { completion(result) } }
    runToCompletion { completion in
      account.run { service.save(save.draft, basedOn: save.version, completion: completion) }
    } completion: { [weak self, callers, stored = savedStore.ifStored] response in
      let result = save.result(for: response)
      guard let self else {
        // The storage must not keep text that is saved.
        stored?.update { $0.endSave(TaskOutcome(result)) }
        return callers.complete(caller, result.map { _ in })
      }
      queue.async { self.end(result, caller) }
    }
  }

  private func end(_ result: Result<Profile, any Error>, _ caller: ChangeCallers.ID) {
    savedStore.update { $0.endSave(TaskOutcome(result)) }
    callers.complete(caller, result.map { _ in })
  }

  private func complete(_ completion: @escaping Completion, _ result: Result<Void, any Error>) {
    callbackQueue.async { completion(result) }
  }
}
