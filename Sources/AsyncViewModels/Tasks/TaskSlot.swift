/// Runs a view model's work, with a policy for runs that overlap.
///
/// ```swift
/// func refresh() async {
///   await slot.run(on: self) { [service] in
///     try await service.orders()
///   } commit: { model, outcome in
///     model.store.update { $0.receive(outcome) }
///   }
/// }
/// ```
///
/// If the state has a ``Loadable``, use the shorter ``load(into:isolation:_:)``.
///
/// The work computes a value without touching its owner. The second closure *commits* the outcome
/// on the owner: an actor, or a class on the main actor. A superseded or cancelled run never
/// commits a result, even if the work ignored cancellation. So a view model needs no request
/// numbers.
///
/// | question | answer |
/// | --- | --- |
/// | isolation | The work runs in a new task, on no actor. Commits run on the owner. Nothing else runs there between the check that a run is current and its commit. |
/// | order | Under `.serial`, results are committed in the order of the calls; cancellations at once. Under `.latest`, only the newest run commits. |
/// | a call of `run` returns | After the commit of the run. At once if ``cancel()`` cancels the run or the policy drops it. The callers of a superseded run wait for the run that replaces it. |
/// | a caller is cancelled | It returns without waiting for the work. A run without callers is cancelled, and commits ``TaskOutcome/cancelled`` before the last caller returns. |
/// | the work fails | The commit receives the error. It receives `.cancelled` for a cancellation that the slot did not request. |
/// | ownership | Neither the slot nor the work keeps the owner alive. A waiting caller does. Releasing the slot cancels its work. |
///
/// - Complexity: One task for each run and one continuation for each caller. Each call is O(callers
///   of the runs in progress).
public final class TaskSlot: Sendable {
  /// The effect of starting a new run while another one is in progress.
  public enum Policy: Hashable, Sendable {
    /// Cancels the running work and starts the new work.
    ///
    /// A loop that awaits `run(on:_:commit:)` never replaces a run: it makes the next call after
    /// the run is over. In the body of `observe(on:_:)`, use `start(at:after:clock:on:_:commit:)`,
    /// which does not wait.
    case latest
    /// Keeps the running work and drops the new work.
    case keepRunning
    /// Drops the new work. Its caller waits for the running work instead (single flight).
    case join
    /// Starts the new work when all earlier work has ended, including cancelled work. No two runs
    /// overlap.
    case serial
    /// Runs the new work beside the running work.
    case concurrent
  }

  private let runs: TaskRuns

  /// Creates an empty slot with a policy for overlapping runs.
  public init(_ policy: Policy = .latest) { runs = TaskRuns(policy) }

  /// Whether any run can still commit. Cancelled work that has not ended, and a commit in progress,
  /// do not count.
  public var isRunning: Bool { runs.isRunning }

  /// Joins the newest run as a further caller, and waits until the run is over. Returns at once if
  /// no work is running.
  ///
  /// - Cancellation: As for `run(on:_:commit:)`. A caller that is already cancelled returns at once
  ///   and does not affect the run.
  public nonisolated(nonsending) func wait() async {
    if !Task.isCancelled { await join().wait() }
  }

  /// Joins the newest run as a further caller, and returns without waiting.
  ///
  /// - Returns: The caller's share in the run. If no work is running, ``Run/wait()`` returns at
  ///   once.
  public func join() -> Run { Run(runs: runs, share: runs.join()) }

  /// Cancels all running and waiting work. None of it commits any more, and its callers return.
  ///
  /// A call on the owner is final: no earlier run begins a commit after it. A call outside the
  /// owner's isolation can return while a commit is in progress.
  public func cancel() { runs.cancel(at: nil) }

  /// Cancels all running and waiting work. A later `start(at:after:clock:on:_:commit:)` at this
  /// position or a lower one starts nothing.
  ///
  /// Does nothing if the slot has already seen this position or a higher one.
  public func cancel(at position: Int) { runs.cancel(at: position) }

  deinit { runs.cancel(at: nil, .runReleased) }
}

extension TaskSlot {
  /// One caller's share in a run of a ``TaskSlot``.
  ///
  /// Until the first call of ``wait()``, the run continues even if all other callers are cancelled.
  public struct Run: Sendable {
    fileprivate let runs: TaskRuns
    fileprivate let share: TaskRuns.Share?

    /// Waits until the run is over, or the run that has replaced it. Returns at once if the run is
    /// over or the slot has dropped it.
    ///
    /// Several tasks can wait. Each of them is a caller.
    ///
    /// - Cancellation: As for `run(on:_:commit:)`.
    public nonisolated(nonsending) func wait() async {
      if let share { await runs.wait(for: share) }
    }
  }

  /// Ends a run with the outcome of its work, or removes a caller with `.cancelled`. The outcome is
  /// committed on the owner.
  typealias End<Owner: AnyObject & Sendable, Success: Sendable> =
    @Sendable (CommitGate<Owner>, _ caller: TaskRuns.ID?, TaskOutcome<Success>) async -> Void

  /// Starts a run.
  ///
  /// - Parameter isCancelled: Whether the caller is cancelled. A cancelled caller leaves before the
  ///   work begins. The work then begins only if another caller has joined the run.
  private func start<Owner: AnyObject & Sendable, Success: Sendable>(
    at position: Int?, on owner: Owner, isCancelled: Bool,
    work: @escaping @Sendable (CommitGate<Owner>) async -> TaskOutcome<Success>,
    end: @escaping End<Owner, Success>
  ) -> Run {
    let share = runs.start(at: position, on: Owner.self) { [runs] share, predecessor in
      let gate = CommitGate(owner: owner, runs: runs, run: share.run)
      let liveObject = LiveObjectToken(.task, "TaskSlot of \(Owner.self)")
      let task = Task {
        defer { liveObject.end() }
        await predecessor?.value
        if isCancelled { await end(gate, share.caller, .cancelled) }
        if gate.isOpen { await end(gate, nil, work(gate)) }
      }
      return (task, { caller in await end(gate, caller, .cancelled) })
    }
    return Run(runs: runs, share: share)
  }

  func start<Owner: AnyObject & Sendable, Success: Sendable>(
    at position: Int? = nil, after pause: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(), on owner: Owner,
    isCancelled: Bool = Task.isCancelled, _ work: @escaping @Sendable () async throws -> Success,
    end: @escaping End<Owner, Success>
  ) -> Run {
    let work = { @Sendable (gate: CommitGate<Owner>) in
      await TaskOutcome {
        if pause > .zero {
          try await clock.sleep(for: min(pause, .longestDelay))
          // A cancellation can come too late for the clock.
          guard gate.isOpen else { throw CancellationError() }
        }
        return try await work()
      }
    }
    return start(at: position, on: owner, isCancelled: isCancelled, work: work, end: end)
  }

  private func start<Owner: AnyObject & Sendable>(
    on owner: Owner, isCancelled: Bool = Task.isCancelled,
    inSteps work: @escaping @Sendable (CommitGate<Owner>) async -> Void, end: @escaping End<Owner, Void>
  ) -> Run {
    start(at: nil, on: owner, isCancelled: isCancelled, work: { .success(await work($0)) }, end: end)
  }
}

// MARK: - Owners that are actors

extension TaskSlot {
  /// Runs `work` as the policy says, passes its outcome to `commit` on the owner, and returns when
  /// the run is over.
  ///
  /// The run starts before the first suspension. If the calling task is already cancelled, the run
  /// commits `.cancelled` without starting `work`, unless another caller joins the run first.
  public nonisolated(nonsending) func run<Owner: Actor, Success: Sendable>(
    on owner: Owner,
    _ work: @escaping @Sendable () async throws -> Success,
    commit: @escaping @Sendable (isolated Owner, TaskOutcome<Success>) -> Void
  ) async {
    await start(on: owner, work, end: Self.end(commit)).wait()
  }

  /// Runs work that commits in several steps, and returns when the run is over.
  ///
  /// In `work`, `gate { owner in … }` runs a closure on the owner if this run is still current, and
  /// returns its result. If the last caller of the run is cancelled, `onCancel` runs on the owner,
  /// and no step follows.
  public nonisolated(nonsending) func run<Owner: Actor>(
    on owner: Owner,
    inSteps work: @escaping @Sendable (CommitGate<Owner>) async -> Void,
    onCancel: @escaping @Sendable (isolated Owner) -> Void
  ) async {
    await start(on: owner, inSteps: work, end: Self.end(onCancel)).wait()
  }

  /// Starts work that commits in several steps, as `run(on:inSteps:onCancel:)` does, and returns
  /// without waiting for it.
  ///
  /// - Returns: The caller's share in the run.
  public func start<Owner: Actor>(
    on owner: Owner,
    inSteps work: @escaping @Sendable (CommitGate<Owner>) async -> Void,
    onCancel: @escaping @Sendable (isolated Owner) -> Void
  ) -> Run {
    start(on: owner, isCancelled: false, inSteps: work, end: Self.end(onCancel))
  }

  /// Starts `work` as `run(on:_:commit:)` does, and returns without waiting for it.
  ///
  /// Call this method from synchronous code, such as an intent that must take effect before it
  /// returns. With a pause and the policy `.latest`, it debounces: a burst of typing makes one
  /// request, and each key replaces the running search at once.
  ///
  /// ```swift
  /// func setQuery(_ query: String) {
  ///   _ = slot.start(after: .milliseconds(300), on: self) { [service] in
  ///     try await service.search(query)
  ///   } commit: { model, outcome in
  ///     model.receive(outcome)
  ///   }
  /// }
  /// ```
  ///
  /// If several threads can call the intent, number the calls inside `store.update`, and pass the
  /// number as the position. Then the order of the updates decides which run is the newest.
  ///
  /// - Parameters:
  ///   - position: The run's place in the order of all runs, or `nil` for the order of the calls. A
  ///     run does not start if the slot has already seen the same position or a higher one. Under
  ///     `.latest`, its callers then wait for the newest run.
  ///   - pause: The time before the beginning of `work`. Under `.serial`, it begins when the
  ///     earlier work has ended. The run is current during the pause: it can be waited for,
  ///     replaced and cancelled. If it is replaced or cancelled before the pause ends, `work` does
  ///     not begin.
  ///   - clock: Measures the pause.
  ///   - owner: The actor on which the run commits.
  ///   - work: Computes the result.
  ///   - commit: Receives the outcome.
  /// - Returns: The caller's share in the run.
  public func start<Owner: Actor, Success: Sendable>(
    at position: Int? = nil, after pause: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(), on owner: Owner,
    _ work: @escaping @Sendable () async throws -> Success,
    commit: @escaping @Sendable (isolated Owner, TaskOutcome<Success>) -> Void
  ) -> Run {
    start(
      at: position, after: pause, clock: clock, on: owner, isCancelled: false, work,
      end: Self.end(commit))
  }

  private static func end<Owner: Actor, Success>(
    _ commit: @escaping @Sendable (isolated Owner, TaskOutcome<Success>) -> Void
  ) -> End<Owner, Success> {
    { gate, caller, outcome in await gate.end(leaving: caller) { owner in commit(owner, outcome) } }
  }

  private static func end<Owner: Actor>(
    _ onCancel: @escaping @Sendable (isolated Owner) -> Void
  ) -> End<Owner, Void> {
    end { owner, outcome in if case .cancelled = outcome { onCancel(owner) } }
  }
}

// MARK: - Owners that are classes on the main actor

extension TaskSlot {
  /// Runs `work` as the policy says, passes its outcome to `commit` on the main actor, and returns
  /// when the run is over. All else is as with an actor as the owner.
  public nonisolated(nonsending) func run<Owner: AnyObject & Sendable, Success: Sendable>(
    on owner: Owner,
    _ work: @escaping @Sendable () async throws -> Success,
    commit: @escaping @MainActor (Owner, TaskOutcome<Success>) -> Void
  ) async {
    await start(on: owner, work, end: Self.end(commit)).wait()
  }

  /// Runs work that commits on the main actor in several steps, and returns when the run is over.
  /// All else is as with an actor as the owner.
  public nonisolated(nonsending) func run<Owner: AnyObject & Sendable>(
    on owner: Owner,
    inSteps work: @escaping @Sendable (CommitGate<Owner>) async -> Void,
    onCancel: @escaping @MainActor (Owner) -> Void
  ) async {
    await start(on: owner, inSteps: work, end: Self.end(onCancel)).wait()
  }

  /// Starts work that commits on the main actor in several steps, and returns without waiting for
  /// it. All else is as with an actor as the owner.
  public func start<Owner: AnyObject & Sendable>(
    on owner: Owner,
    inSteps work: @escaping @Sendable (CommitGate<Owner>) async -> Void,
    onCancel: @escaping @MainActor (Owner) -> Void
  ) -> Run {
    start(on: owner, isCancelled: false, inSteps: work, end: Self.end(onCancel))
  }

  /// Starts `work`, whose outcome `commit` receives on the main actor, and returns without waiting
  /// for it. All else is as with an actor as the owner.
  public func start<Owner: AnyObject & Sendable, Success: Sendable>(
    at position: Int? = nil, after pause: Duration = .zero,
    clock: any Clock<Duration> = ContinuousClock(), on owner: Owner,
    _ work: @escaping @Sendable () async throws -> Success,
    commit: @escaping @MainActor (Owner, TaskOutcome<Success>) -> Void
  ) -> Run {
    start(
      at: position, after: pause, clock: clock, on: owner, isCancelled: false, work,
      end: Self.end(commit))
  }

  private static func end<Owner, Success>(
    _ commit: @escaping @MainActor (Owner, TaskOutcome<Success>) -> Void
  ) -> End<Owner, Success> {
    { gate, caller, outcome in await gate.end(leaving: caller) { owner in commit(owner, outcome) } }
  }

  private static func end<Owner>(_ onCancel: @escaping @MainActor (Owner) -> Void) -> End<Owner, Void> {
    end { owner, outcome in if case .cancelled = outcome { onCancel(owner) } }
  }
}
