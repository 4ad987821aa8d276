/// A place for work that a view model may start again while it still runs. The policy says what becomes of whom.
///
/// The work computes and must not touch its owner; what it found is *committed* by a closure that runs on the owner. A slot
/// commits nothing that has been superseded or cancelled, even where the work took no notice, so that no view model has to
/// compare numbers to keep a stale answer out.
///
/// - Isolation: not Sendable. It belongs to its owner, which is the actor that calls it; that is why nothing can come between
///   its check and the commit.
/// - Ordering: under `.serial`, in the order of the calls. Under `.latest`, only the newest run commits.
/// - Cancellation: after ``cancel()`` returns, nothing more is committed. The slot cancels its work when it goes away, and neither
///   the slot nor the work keeps the owner alive.
/// - Errors: what the work throws arrives in the commit as an ``TaskOutcome``. Cancellation that the slot did not ask for arrives there
///   too, as `.cancelled`.
///
/// ```swift
/// search.run(on: self) { [service] in
///   try await service.results(for: query)
/// } commit: { model, outcome in
///   model.receive(outcome)
/// }
/// ```
public final class TaskSlot {
  /// What a new run does while another one is under way.
  public enum Policy: Hashable, Sendable {
    /// Cancels the other one, and starts.
    case latest
    /// Gives way: the new work is dropped.
    case keepRunning
    /// Joins: the new work is dropped, and whoever started it awaits the other one (single flight).
    case join
    /// Waits for its turn: also for work that was cancelled, as long as it is still under way, so that no two are ever at work.
    case serial
    /// Runs beside it.
    case concurrent
  }

  private let runs: TaskRuns

  public init(_ policy: Policy = .latest) { runs = TaskRuns(policy) }

  /// Whether work is under way or waiting for its turn.
  public var isRunning: Bool { runs.isRunning }

  /// Starts `work`, as the policy says, and hands its outcome to `commit` on the owner.
  ///
  /// - Returns: a task that ends when the run has ended, its commit included: the other run's under `.join`, one that has ended
  ///   under `.keepRunning`.
  @discardableResult
  public func run<Owner: Actor, Success: Sendable>(
    on owner: isolated Owner,
    _ work: @escaping @Sendable () async throws -> Success,
    commit: @escaping @Sendable (isolated Owner, TaskOutcome<Success>) -> Void
  ) -> Task<Void, Never> {
    start(owner) { gate in
      let outcome = await TaskOutcome(of: work)
      await gate.commitLast { owner in commit(owner, outcome) }
    }
  }

  /// Starts work that commits in several steps: `gate { owner in … }` runs its closure on the owner as long as this run is
  /// the current one, and says whether it did.
  @discardableResult
  public func run<Owner: Actor>(
    on owner: isolated Owner,
    inSteps work: @escaping @Sendable (CommitGate<Owner>) async -> Void
  ) -> Task<Void, Never> {
    start(owner) { gate in
      await work(gate)
      await gate.commitLast { _ in }
    }
  }

  /// Cancels what runs and what waits. None of it commits any more.
  public func cancel() { runs.cancel() }

  private func start<Owner: Actor>(
    _ owner: isolated Owner, _ work: @escaping @Sendable (CommitGate<Owner>) async -> Void
  ) -> Task<Void, Never> {
    switch runs.begin() {
    case .dropped: return Task {}
    case .joined(let running): return running
    case .started(let number, let predecessor):
      let task = Self.task(
        after: predecessor, CommitGate(owner: owner, runs: runs, number: number), work)
      runs.register(task, number)
      return task
    }
  }

  /// Apart from ``start(_:_:)``, so that the task is neither isolated to the owner nor keeps it.
  private nonisolated static func task<Owner: Actor>(
    after predecessor: Task<Void, Never>?, _ gate: CommitGate<Owner>,
    _ work: @escaping @Sendable (CommitGate<Owner>) async -> Void
  ) -> Task<Void, Never> {
    let entry = LiveObjectToken(.task, "TaskSlot of \(Owner.self)")
    return Task {
      defer { entry.end() }
      await predecessor?.value
      if gate.isOpen { await work(gate) }
    }
  }

  deinit { runs.cancel() }
}
