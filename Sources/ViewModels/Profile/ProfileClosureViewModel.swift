public import AsyncViewModels
public import Dispatch
public import StorefrontDomain

/// The profile and its form, in the closure stage.
///
/// - Isolation: `queue` guards the state and the load, by convention; completions and the observer are called on `callbackQueue`.
/// - Ordering: intents take effect in the order of the calls, after the call has returned; one save is on its way at a time.
/// - Cancellation: ``leave()``, and the end of the view model, call off the load, and it publishes nothing any more. A save that has
///   begun is never called off.
/// - Hazards: one observer, the last binding wins; ``state`` and ``leave()`` wait for the queue, and deadlock on it; nobody is told
///   when a load has ended.
public final class ProfileClosureViewModel: @unchecked Sendable {
  public typealias Completion = @Sendable (Result<Void, any Error>) -> Void

  private let liveObject = LiveObjectToken(.viewModel, "ProfileClosureViewModel")
  private let queue = DispatchQueue(label: "ProfileClosureViewModel")
  private let callbackQueue: DispatchQueue
  private let service: any ProfileEditingClosureService
  private let binding = CallbackState(ProfileState())
  private var current = ProfileState()  // guarded by `queue`
  private var loading: CancellationToken?  // guarded by `queue`
  private var generation = 0  // guarded by `queue`

  public init(service: any ProfileEditingClosureService, callbackQueue: DispatchQueue = .main) {
    self.service = service
    self.callbackQueue = callbackQueue
  }

  public var state: ProfileState { queue.sync { current } }

  /// Makes `observer` the one observer: the current state, then every later one, on the callback queue.
  public func bind(_ observer: @escaping @Sendable (ProfileState) -> Void) -> CancellationToken {
    binding.bind(on: callbackQueue, observer)
  }

  /// Loads the profile. Where it is there, or on its way, nothing is requested.
  public func load() {
    queue.async { [self] in
      guard current.needsLoading else { return }
      current.beginLoading()
      binding.send(current)
      loading = service.profile { [weak self, generation] result in
        guard let self else { return }
        queue.async { self.receiveLoaded(result, generation) }
      }
    }
  }

  /// Writes into a field, right or wrong: what is wrong is in the state's errors. Fails with ``ProfileEditError/notLoaded``.
  public func edit(_ field: ProfileField, to text: String, completion: @escaping Completion = { _ in }) {
    perform(.edit(field, to: text), completion)
  }

  /// Puts back what the service is known to have. Fails with ``ProfileEditError/notLoaded``, or
  /// ``ProfileEditError/saveUnderWay``.
  public func revert(completion: @escaping Completion = { _ in }) {
    perform(.revert, completion)
  }

  /// Saves what stands in the form. It is shown soon; nothing is sent where the service has it already. `completion` is called
  /// once, when the service has answered.
  ///
  /// A failure is a ``ProfileEditError`` where nothing could be sent, a ``/StorefrontDomain/ProfileError`` where the service refuses, else what
  /// kept it from answering: the profile is then as it was, and the form as it was typed.
  public func save(completion: @escaping Completion = { _ in }) { perform(.save, completion) }

  /// Decides a conflict: saves what stands in the form over what the service has by now, as ``save(completion:)`` does, or takes
  /// that over.
  public func resolve(_ choice: ProfileConflictChoice, completion: @escaping Completion = { _ in }) {
    perform(.resolve(choice), completion)
  }

  /// Leaves the screen: calls off the load, which is then as it was before. A save goes on.
  public func leave() {
    let cancelled = queue.sync { () -> CancellationToken? in
      guard current.isLoading else { return nil }
      generation += 1
      current.leave()
      binding.send(current)
      return loading.take()
    }
    // Not on the queue: what a service does when it is cancelled is its own business, and may well ask for the state.
    cancelled?.cancel()
  }

  private func perform(_ intent: ProfileIntent, _ completion: @escaping Completion) {
    queue.async { [self] in
      do {
        let save = try current.begin(intent)
        binding.send(current)
        guard let save else { return complete(completion, .success(())) }
        send(save, completion)
      } catch {
        complete(completion, .failure(error))
      }
    }
  }

  private func send(_ save: ProfileSave, _ completion: @escaping Completion) {
    runToCompletion {
      service.save(save.draft, basedOn: save.version, completion: $0)
    } completion: { [weak self, callbackQueue] result in
      guard let self else { return callbackQueue.async { completion(result.map { _ in }) } }
      queue.async { self.receiveSaved(result, completion) }
    }
  }

  private func receiveLoaded(_ result: Result<Profile, any Error>, _ generation: Int) {
    guard generation == self.generation else { return }
    loading.take()?.finish()
    current.receiveLoaded(TaskOutcome(result))
    binding.send(current)
  }

  private func receiveSaved(_ result: Result<Profile, any Error>, _ completion: @escaping Completion) {
    current.receiveSaved(TaskOutcome(result))
    binding.send(current)
    complete(completion, result.map { _ in })
  }

  private func complete(_ completion: @escaping Completion, _ result: Result<Void, any Error>) {
    callbackQueue.async { completion(result) }
  }
}
