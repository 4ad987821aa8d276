/// Runs a view model's work, with a policy for runs that overlap.
///
/// The ``Policy`` decides whether a new run replaces, joins, follows or accompanies the running one, or is
/// dropped.
///
/// The work computes a value without touching its owner. A second closure *commits* the outcome on the owner.
/// A slot never commits the result of a superseded or cancelled run, even if the work ignored cancellation.
/// So a view model needs no request numbers to reject a stale answer.
///
/// - Isolation: None. The work runs in a new task, on no actor. The owner is an actor, or a class on the main
///   actor. Commits run on the owner. Nothing else can run there between the check that a run is current and
///   its commit.
/// - Ordering: Under `.serial`, results are committed in the order of the calls, but a cancellation is
///   committed at once. Under `.latest`, only the newest run commits.
/// - Waiting: `run(on:_:commit:)` returns when the run is over: after its commit, or at once if ``cancel()``
///   cancels it or the policy drops it. The callers of a superseded run wait for the run that replaces it, so
///   they do not return before a newer outcome is committed.
/// - Cancellation: A cancelled caller returns without waiting for the work. If the run has no other caller,
///   the run is cancelled, and commits ``TaskOutcome/cancelled`` before the caller returns. If ``cancel()``
///   is called on the owner, no earlier run begins a commit after that call. If ``cancel()`` is called outside
///   the owner's isolation, a commit in progress may end after ``cancel()`` has returned. Releasing the slot
///   cancels its work.
/// - Ownership: Neither the slot nor the work keeps the owner alive. A waiting caller keeps the owner alive.
/// - Errors: An error of the work reaches the commit as a ``TaskOutcome``. A cancellation that the slot did
///   not request reaches the commit as `.cancelled`.
/// - Complexity: One task for each run and one continuation for each caller. Each call is O(callers of the runs
///   in progress).
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
public final class TaskSlot: Sendable {
  /// The effect of starting a new run while another one is in progress.
  public enum Policy: Hashable, Sendable {
    /// Cancels the running work and starts the new work.
    ///
    /// A loop that awaits `run(on:_:commit:)` never replaces a run, because it makes the next call after the run is over.
    /// In the body of `observe(on:_:)`, use `start(at:on:_:commit:)`, which does not wait:
    ///
    /// ```swift
    /// observation = queries.debounced(for: .milliseconds(300)).observe(on: self) { model, query in
    ///   _ = model.slot.start(on: model) { [service = model.service] in
    ///     try await service.search(query)
    ///   } commit: { model, outcome in
    ///     model.receive(outcome)
    ///   }
    /// }
    /// ```
    case latest
    /// Keeps the running work and drops the new work.
    case keepRunning
    /// Drops the new work, and the caller waits for the running work instead (single flight).
    case join
    /// Starts the new work after all earlier work has ended, including cancelled work: no two runs ever
    /// overlap.
    case serial
    /// Runs the new work beside the running work.
    case concurrent
  }

  private let runs: TaskRuns

  /// Creates an empty slot with a policy for overlapping runs.
  public init(_ policy: Policy = .latest) { runs = TaskRuns(policy) }

  /// Whether any run can still commit. Cancelled work that has not ended, and a commit in progress, do not
  /// count.
  public var isRunning: Bool { runs.isRunning }

  /// Joins the newest run as a further caller, and waits until the run is over. Returns at once if no work is
  /// running.
  ///
  /// - Cancellation: As for `run(on:_:commit:)`: the run is cancelled if its last caller is cancelled. If the
  ///   caller is already cancelled, the call returns at once and does not affect the run.
  public nonisolated(nonsending) func wait() async {
    if !Task.isCancelled { await join().wait() }
  }

  /// Joins the newest run as a further caller, and returns without waiting.
  ///
  /// - Returns: The caller's share in the run. If no work is running, ``Run/wait()`` returns at once. Until the
  ///   first call of ``Run/wait()``, the run continues even if all other callers are cancelled.
  public func join() -> Run { Run(runs: runs, share: runs.join()) }

  /// Cancels all running and waiting work. None of it commits any more, and its callers return.
  ///
  /// A commit that is in progress on the owner continues.
  public func cancel() { runs.cancel(at: nil) }

  /// Cancels all running and waiting work. A later `start(at:on:_:commit:)` at this position or a lower one
  /// starts nothing.
  ///
  /// Does nothing if the slot has already seen this position or a higher one.
  public func cancel(at position: Int) { runs.cancel(at: position) }

  deinit { runs.cancel(at: nil) }
}

extension TaskSlot {
  /// One caller's share in a run of a ``TaskSlot``.
  public struct Run: Sendable {
    fileprivate let runs: TaskRuns
    fileprivate let share: TaskRuns.Share?

    /// Waits until the run is over. If another run has replaced it, waits for that run instead. Returns at once
    /// if there is nothing to wait for, because the run is over or the slot has dropped it.
    ///
    /// Several tasks can wait. Each of them is a caller.
    ///
    /// - Cancellation: A cancelled caller returns without waiting for the work. If the run has no other
    ///   caller, the run is cancelled, and commits ``TaskOutcome/cancelled`` before the caller returns.
    public nonisolated(nonsending) func wait() async {
      if let share { await runs.wait(for: share) }
    }
  }

  /// Starts a run whose task passes a gate to `work`. `leave` removes a caller, on the owner's isolation.
  ///
  /// - Parameter isCancelled: Whether the caller is cancelled. A cancelled caller leaves before the work
  ///   begins. The work then begins only if another caller has joined the run.
  fileprivate func start<Owner: AnyObject & Sendable>(
    at position: Int?, on owner: Owner, isCancelled: Bool,
    _ work: @escaping @Sendable (CommitGate<Owner>) async -> Void,
    leave: @escaping @Sendable (CommitGate<Owner>, _ caller: TaskRuns.ID) async -> Void
  ) -> Run {
    let share = runs.start(at: position) { [runs] share, predecessor in
      let gate = CommitGate(owner: owner, runs: runs, run: share.run)
      let task = Self.makeTask(after: predecessor, gate) { gate in
        if isCancelled { await leave(gate, share.caller) }
        if gate.isOpen { await work(gate) }
      }
      return (task, { await leave(gate, $0) })
    }
    return Run(runs: runs, share: share)
  }

  private static func makeTask<Owner>(
    after predecessor: Task<Void, Never>?, _ gate: CommitGate<Owner>,
    _ work: @escaping @Sendable (CommitGate<Owner>) async -> Void
  ) -> Task<Void, Never> {
    let liveObject = LiveObjectToken(.task, "TaskSlot of \(Owner.self)")
    return Task {
      defer { liveObject.end() }
      await predecessor?.value
      await work(gate)
    }
  }
}

// MARK: - Owners that are actors

extension TaskSlot {
  /// Runs `work` according to the policy, passes its outcome to `commit` on the owner, and returns when the
  /// run is over.
  ///
  /// The run starts before the first suspension. If the calling task is already cancelled, the run commits
  /// `.cancelled` without starting `work`, unless another caller joins the run first.
  public nonisolated(nonsending) func run<Owner: Actor, Success: Sendable>(
    on owner: Owner,
    _ work: @escaping @Sendable () async throws -> Success,
    commit: @escaping @Sendable (isolated Owner, TaskOutcome<Success>) -> Void
  ) async {
    await start(at: nil, on: owner, isCancelled: Task.isCancelled, work, commit: commit).wait()
  }

  /// Runs work that commits in several steps, and returns when the run is over.
  ///
  /// In `work`, `gate { owner in … }` runs a closure on the owner if this run is still current, and returns
  /// its result. If the last caller of the run is cancelled, `onCancel` runs on the owner, and no step
  /// follows.
  public nonisolated(nonsending) func run<Owner: Actor>(
    on owner: Owner,
    inSteps work: @escaping @Sendable (CommitGate<Owner>) async -> Void,
    onCancel: @escaping @Sendable (isolated Owner) -> Void
  ) async {
    await start(on: owner, isCancelled: Task.isCancelled, inSteps: work, onCancel: onCancel).wait()
  }

  /// Starts work that commits in several steps as `run(on:inSteps:onCancel:)` does, and returns without waiting for it.
  ///
  /// - Returns: The caller's share in the run. Until the first call of ``Run/wait()``, the run continues even
  ///   if all other callers are cancelled.
  public func start<Owner: Actor>(
    on owner: Owner,
    inSteps work: @escaping @Sendable (CommitGate<Owner>) async -> Void,
    onCancel: @escaping @Sendable (isolated Owner) -> Void
  ) -> Run {
    start(on: owner, isCancelled: false, inSteps: work, onCancel: onCancel)
  }

  private func start<Owner: Actor>(
    on owner: Owner, isCancelled: Bool,
    inSteps work: @escaping @Sendable (CommitGate<Owner>) async -> Void,
    onCancel: @escaping @Sendable (isolated Owner) -> Void
  ) -> Run {
    start(at: nil, on: owner, isCancelled: isCancelled) { gate in
      await work(gate)
      await gate.end { _ in }
    } leave: { gate, caller in
      await gate.leave(caller, onCancel)
    }
  }

  /// Starts `work` as `run(on:_:commit:)` does, and returns without waiting for it.
  ///
  /// Call this method from synchronous code, for example from a view model's method that must take effect
  /// before it returns. If several threads can call that method, create a number for each call inside
  /// `store.update`, and pass the number as the position. Then the order of the updates decides which run is
  /// the newest, not the order in which the threads call `start`:
  ///
  /// ```swift
  /// nonisolated func setQuery(_ query: String) {
  ///   let request = store.update { $0.begin(query) }  // Its number increases with each update.
  ///   _ = slot.start(at: request.number, on: self) { … } commit: { … }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - position: The run's place in the order of all runs. A run does not start if the slot has already
  ///     seen the same position or a higher one. Under `.latest`, its callers then wait for the newest run.
  ///     Without a position, runs start in the order of the calls.
  ///   - owner: The actor on which the run commits.
  ///   - work: Computes the result.
  ///   - commit: Receives the outcome.
  /// - Returns: The caller's share in the run. Until the first call of ``Run/wait()``, the run continues even
  ///   if all other callers are cancelled.
  public func start<Owner: Actor, Success: Sendable>(
    at position: Int? = nil, on owner: Owner,
    _ work: @escaping @Sendable () async throws -> Success,
    commit: @escaping @Sendable (isolated Owner, TaskOutcome<Success>) -> Void
  ) -> Run {
    start(at: position, on: owner, isCancelled: false, work, commit: commit)
  }

  private func start<Owner: Actor, Success: Sendable>(
    at position: Int?, on owner: Owner, isCancelled: Bool,
    _ work: @escaping @Sendable () async throws -> Success,
    commit: @escaping @Sendable (isolated Owner, TaskOutcome<Success>) -> Void
  ) -> Run {
    start(at: position, on: owner, isCancelled: isCancelled) { gate in
      let outcome = await TaskOutcome(of: work)
      await gate.end { owner in commit(owner, outcome) }
    } leave: { gate, caller in
      await gate.leave(caller) { owner in commit(owner, .cancelled) }
    }
  }
}

// MARK: - Owners that are classes on the main actor

extension TaskSlot {
  /// Runs `work` according to the policy, passes its outcome to `commit` on the main actor, and returns when
  /// the run is over.
  ///
  /// This method is for classes on the main actor. In all other respects, it is like the method for actors.
  public nonisolated(nonsending) func run<Owner: AnyObject & Sendable, Success: Sendable>(
    on owner: Owner,
    _ work: @escaping @Sendable () async throws -> Success,
    commit: @escaping @MainActor (Owner, TaskOutcome<Success>) -> Void
  ) async {
    await start(at: nil, on: owner, isCancelled: Task.isCancelled, work, commit: commit).wait()
  }

  /// Runs work that commits in several steps on the main actor, and returns when the run is over.
  ///
  /// This method is for classes on the main actor. In all other respects, it is like the method for actors.
  public nonisolated(nonsending) func run<Owner: AnyObject & Sendable>(
    on owner: Owner,
    inSteps work: @escaping @Sendable (CommitGate<Owner>) async -> Void,
    onCancel: @escaping @MainActor (Owner) -> Void
  ) async {
    await start(on: owner, isCancelled: Task.isCancelled, inSteps: work, onCancel: onCancel).wait()
  }

  /// Starts work that commits in several steps as `run(on:inSteps:onCancel:)` does, and returns without waiting for it.
  ///
  /// This method is for classes on the main actor. In all other respects, it is like the method for actors.
  public func start<Owner: AnyObject & Sendable>(
    on owner: Owner,
    inSteps work: @escaping @Sendable (CommitGate<Owner>) async -> Void,
    onCancel: @escaping @MainActor (Owner) -> Void
  ) -> Run {
    start(on: owner, isCancelled: false, inSteps: work, onCancel: onCancel)
  }

  private func start<Owner: AnyObject & Sendable>(
    on owner: Owner, isCancelled: Bool,
    inSteps work: @escaping @Sendable (CommitGate<Owner>) async -> Void,
    onCancel: @escaping @MainActor (Owner) -> Void
  ) -> Run {
    start(at: nil, on: owner, isCancelled: isCancelled) { gate in
      await work(gate)
      await gate.end { _ in }
    } leave: { gate, caller in
      await gate.leave(caller, onCancel)
    }
  }

  /// Starts `work` as `run(on:_:commit:)` does, and returns without waiting for it.
  ///
  /// This method is for classes on the main actor. In all other respects, it is like the method for actors.
  public func start<Owner: AnyObject & Sendable, Success: Sendable>(
    at position: Int? = nil, on owner: Owner,
    _ work: @escaping @Sendable () async throws -> Success,
    commit: @escaping @MainActor (Owner, TaskOutcome<Success>) -> Void
  ) -> Run {
    start(at: position, on: owner, isCancelled: false, work, commit: commit)
  }

  private func start<Owner: AnyObject & Sendable, Success: Sendable>(
    at position: Int?, on owner: Owner, isCancelled: Bool,
    _ work: @escaping @Sendable () async throws -> Success,
    commit: @escaping @MainActor (Owner, TaskOutcome<Success>) -> Void
  ) -> Run {
    start(at: position, on: owner, isCancelled: isCancelled) { gate in
      let outcome = await TaskOutcome(of: work)
      await gate.end { owner in commit(owner, outcome) }
    } leave: { gate, caller in
      await gate.leave(caller) { owner in commit(owner, .cancelled) }
    }
  }
}
