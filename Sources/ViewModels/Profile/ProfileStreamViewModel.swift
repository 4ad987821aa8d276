public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The profile and its form, in the stream stage.
///
/// - Isolation: `queue` guards the load, by convention. Completion handlers are called on `callbackQueue`. Use `state` and
///   `states()` from any thread.
/// - Ordering: Loads and saves take effect asynchronously, in the order of the calls. Edits take effect before the call returns.
///   The answer to a superseded load is dropped, and its callers wait for the newer one. One save is in progress at a time.
/// - Cancellation: Releasing the view model cancels the load. A save is never cancelled.
/// - Hazards: None for observers. Loads and saves still have completion handlers. Edits and ``cancel()`` wait for the queue, so
///   they deadlock if they are called there.
public final class ProfileStreamViewModel: StateSource, @unchecked Sendable {
  /// Called once, when the load is over.
  public typealias LoadCompletion = @Sendable () -> Void
  /// Receives the answer of the service to a save, or the reason why the save was refused.
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  public let store = ObservableState(ProfileState())
  private let liveObject = LiveObjectToken(.viewModel, "ProfileStreamViewModel")
  private let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private let service: any ProfileEditingClosureService
  private let slot: RequestSlot

  /// Creates a screen of a profile. It loads nothing until the first intent.
  public init(service: any ProfileEditingClosureService, callbackQueue: DispatchQueue = .main) {
    queue = DispatchQueue(label: "ProfileStreamViewModel")
    self.callbackQueue = callbackQueue
    self.service = service
    slot = RequestSlot(queue: queue, callbackQueue: callbackQueue)
  }

  /// Loads the profile, unless it is loaded. Joins a load that is in progress.
  ///
  /// `completion` is called once, when the load is over.
  public func load(completion: LoadCompletion? = nil) { perform(.load, completion) }

  /// Loads the profile again, and replaces a load in progress. The edited fields stay. After a failure, the old profile stays.
  public func refresh(completion: LoadCompletion? = nil) { perform(.refresh, completion) }

  /// Cancels the load in progress and restores the state before it. A save continues.
  public func cancel() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard state.isLoading else { return nil }
      store.update { $0.cancel() }
      return slot.cancel()
    }
    // Cancels outside the queue: a service's cancellation handler may wait for the queue, which would deadlock.
    cancelled?.cancel()
  }

  /// Changes a field. An invalid value is in the state's errors.
  ///
  /// - Throws: ``ProfileEditError/notLoaded``.
  public func edit(_ field: ProfileField, to text: String) throws(ProfileEditError) {
    _ = try begin(.edit(field, to: text))
  }

  /// Restores the confirmed profile.
  ///
  /// - Throws: ``ProfileEditError/notLoaded`` or ``ProfileEditError/saveInProgress``.
  public func revert() throws(ProfileEditError) {
    _ = try begin(.revert)
  }

  /// Saves the form. The profile shows it soon; `completion` is called once, when the service has answered. Nothing is sent if the
  /// form does not differ from the confirmed profile.
  ///
  /// The failure is a ``ProfileEditError`` if the form cannot be saved now, a ``/StorefrontDomain/ProfileError`` if the service refuses
  /// it. Otherwise it is the reason that the service did not answer. The profile is then as it was, and the form keeps the typed text.
  public func save(completion: @escaping Completion = { _ in }) { perform(.save, completion) }

  /// Resolves a conflict: saves the form over the service's profile, as ``save(completion:)`` does, or replaces the form with it.
  public func resolve(_ choice: ProfileConflictChoice, completion: @escaping Completion = { _ in }) {
    perform(.resolve(choice), completion)
  }

  private func perform(_ intent: LoadIntent, _ completion: LoadCompletion?) {
    queue.async { [self] in
      guard state.needsRequest(for: intent) else { return slot.notify(completion) }
      store.update { $0.begin() }
      slot.run(completion) {
        service.profile(completion: $0)
      } receive: { [weak self] result in
        self?.store.update { $0.receive(TaskOutcome(result)) }
      }
    }
  }

  private func perform(_ intent: ProfileIntent, _ completion: @escaping Completion) {
    queue.async { [self] in
      do {
        let save = try store.update { state throws(ProfileEditError) in try state.begin(intent) }
        guard let save else { return complete(completion, .success(())) }
        send(save, completion)
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
    return try save.get()
  }

  private func send(_ save: ProfileSave, _ completion: @escaping Completion) {
    runToCompletion {
      service.save(save.draft, basedOn: save.version, completion: $0)
    } completion: { [weak self, callbackQueue] result in
      guard let self else { return callbackQueue.async { completion(result.map { _ in }) } }
      queue.async { self.endSave(result, completion) }
    }
  }

  private func endSave(_ result: Result<Profile, any Error>, _ completion: @escaping Completion) {
    store.update { $0.endSave(TaskOutcome(result)) }
    complete(completion, result.map { _ in })
  }

  private func complete(_ completion: @escaping Completion, _ result: Result<Void, any Error>) {
    callbackQueue.async { completion(result) }
  }
}
