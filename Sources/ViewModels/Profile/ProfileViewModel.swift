public import AsyncViewModels
public import StorefrontDomain

/// The profile and its form, in the async stage.
///
/// - Isolation: runs on its host; ``state`` and ``states()`` may be used from anywhere.
/// - Ordering: intents take effect in the order in which they reach the actor; one save is on its way at a time.
/// - Cancellation: ``leave()``, and the end of the view model, call off the load, and it publishes nothing any more. A save that has
///   begun is never called off: not by them, and not by cancelling the task that it returned.
/// - Hazards: none of the stages before: any number of observers, and the compiler guards the state.
public actor ProfileViewModel {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private let liveObject = LiveObjectToken(.viewModel, "ProfileViewModel")
  private nonisolated let host: ActorHost
  private let service: any ProfileEditingService
  private nonisolated let store = ObservableState(ProfileState())
  private let loading = TaskSlot(.join)

  public init(service: any ProfileEditingService, isolation: any Actor = Isolation()) {
    host = ActorHost(isolation)
    self.service = service
  }

  public nonisolated var state: ProfileState { store.value }

  /// A new observer: the current state, then the latest.
  public nonisolated func states() -> AsyncStream<ProfileState> { store.stream() }

  /// Loads the profile. Where it is there, nothing is requested; where it is on its way, this joins.
  ///
  /// - Returns: a task that ends when the load is over. It only waits: to cancel it stops nothing.
  @discardableResult
  public func load() -> Task<Void, Never> {
    guard state.needsLoading || state.isLoading else { return Task {} }
    if state.needsLoading { store.update { $0.beginLoading() } }
    let run = loading.run(on: self) { [service] in
      try await service.profile()
    } commit: { model, outcome in
      model.store.update { $0.receiveLoaded(outcome) }
    }
    let entry = LiveObjectToken(.task, "wait for a profile")
    return Task {
      defer { entry.end() }
      await run.value
    }
  }

  /// Writes into a field, right or wrong: what is wrong is in the state's errors.
  ///
  /// - Throws: ``ProfileEditError/notLoaded``.
  public func edit(_ field: ProfileField, to text: String) throws(ProfileEditError) {
    _ = try begin(.edit(field, to: text))
  }

  /// Puts back what the service is known to have.
  ///
  /// - Throws: ``ProfileEditError/notLoaded``, or ``ProfileEditError/saveUnderWay``.
  public func revert() throws(ProfileEditError) {
    _ = try begin(.revert)
  }

  /// Saves what stands in the form. It is shown at once; nothing is sent where the service has it already.
  ///
  /// - Returns: a task that ends when the service has answered. It throws a ``ProfileEditError`` where nothing could be sent, a
  ///   ``/StorefrontDomain/ProfileError`` where the service refuses, else what kept it from answering: the profile is then as it was, and the
  ///   form as it was typed. To cancel it stops nothing.
  public func save() -> Task<Void, any Error> { perform(.save) }

  /// Decides a conflict: saves what stands in the form over what the service has by now, as ``save()`` does, or takes that over.
  public func resolve(_ choice: ProfileConflictChoice) -> Task<Void, any Error> { perform(.resolve(choice)) }

  /// Leaves the screen: calls off the load, which is then as it was before. A save goes on.
  public func leave() {
    guard state.isLoading else { return }
    loading.cancel()
    store.update { $0.leave() }
  }

  private func begin(_ intent: ProfileIntent) throws(ProfileEditError) -> ProfileSave? {
    try store.update { state throws(ProfileEditError) in try state.begin(intent) }
  }

  private func perform(_ intent: ProfileIntent) -> Task<Void, any Error> {
    do throws(ProfileEditError) {
      guard let save = try begin(intent) else { return Task {} }
      return send(save)
    } catch {
      return Task { throw error }
    }
  }

  private func send(_ save: ProfileSave) -> Task<Void, any Error> {
    // Nobody else holds this task, so nobody can cancel it; and it does not hold the view model, which may go meanwhile.
    let entry = LiveObjectToken(.task, "save of a profile")
    let answer = Task { [service] in try await service.save(save.draft, basedOn: save.version) }
    return Task { [weak self] in
      defer { entry.end() }
      let result = await answer.result
      await self?.receive(result)
      _ = try result.get()
    }
  }

  private func receive(_ result: Result<Profile, any Error>) {
    store.update { $0.receiveSaved(TaskOutcome(result)) }
  }
}
