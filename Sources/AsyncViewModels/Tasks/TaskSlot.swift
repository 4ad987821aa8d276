/// Runs a view model's work, with a policy for runs that overlap.
///
/// The ``Policy`` decides whether a new run replaces, joins, follows or accompanies the running one, or is
/// dropped.
///
/// The work computes a value without touching its owner. A second closure *commits* the outcome on the owner.
/// A slot never commits a superseded or cancelled run, even if the work ignored cancellation, so a view model
/// needs no request numbers to reject a stale answer.
///
/// - Isolation: Not `Sendable`. The slot belongs to the actor that calls it, its owner. Nothing can therefore
///   run between its check and the commit.
/// - Ordering: Under `.serial`, runs commit in the order of the calls. Under `.latest`, only the newest run
///   commits.
/// - Cancellation: After ``cancel()`` returns, nothing more is committed. Releasing the slot cancels its
///   work. Neither the slot nor the work keeps the owner alive.
/// - Errors: An error of the work reaches the commit as a ``TaskOutcome``. So does a cancellation that the
///   slot did not request, as `.cancelled`.
///
/// ```swift
/// search.run(on: self) { [service] in
///   try await service.results(for: query)
/// } commit: { model, outcome in
///   model.receive(outcome)
/// }
/// ```
public final class TaskSlot {
  /// The effect of starting a new run while another one is in progress.
  public enum Policy: Hashable, Sendable {
    /// Cancels the running work and starts the new work.
    case latest
    /// Keeps the running work and drops the new work.
    case keepRunning
    /// Drops the new work and returns the task of the running work, so that the caller can await it (single
    /// flight).
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

  /// Whether any work is running or waiting for its turn.
  public var isRunning: Bool { runs.isRunning }

  /// Starts `work` according to the policy, and passes its outcome to `commit` on the owner.
  ///
  /// - Returns: A task that ends after the commit. If work is already running, `.join` returns the task of
  ///   the running work, and `.keepRunning` returns a task that does nothing.
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

  /// Starts work that commits in several steps.
  ///
  /// In `work`, `gate { owner in … }` runs a closure on the owner if this run is still current, and returns
  /// whether it did.
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

  /// Cancels all running and waiting work. None of it commits any more.
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

  /// Separate from ``start(_:_:)``, so that the task is not isolated to the owner and does not keep it alive.
  private nonisolated static func task<Owner: Actor>(
    after predecessor: Task<Void, Never>?, _ gate: CommitGate<Owner>,
    _ work: @escaping @Sendable (CommitGate<Owner>) async -> Void
  ) -> Task<Void, Never> {
    let liveObject = LiveObjectToken(.task, "TaskSlot of \(Owner.self)")
    return Task {
      defer { liveObject.end() }
      await predecessor?.value
      if gate.isOpen { await work(gate) }
    }
  }

  deinit { runs.cancel() }
}

/// Lets one run of a ``TaskSlot`` change its owner while the run is current.
///
/// The gate closes when the run is superseded or cancelled. It does not keep the owner alive.
public struct CommitGate<Owner: Actor>: Sendable {
  private weak let owner: Owner?
  private let runs: TaskRuns
  private let number: UInt64

  init(owner: Owner, runs: TaskRuns, number: UInt64) {
    self.owner = owner
    self.runs = runs
    self.number = number
  }

  /// Whether the run is still current. Outside the owner's isolation this is only a hint: the gate may close
  /// any time.
  public var isOpen: Bool { runs.isCurrent(number) }

  /// Runs `body` on the owner if the run is still current at that time.
  ///
  /// - Returns: Whether `body` ran. If it did not, the run can stop: it can no longer commit.
  @discardableResult
  public func callAsFunction(_ body: @Sendable (isolated Owner) -> Void) async -> Bool {
    guard let owner else { return false }
    return await pass(owner, endsRun: false, body) != nil
  }

  /// Runs `body` on the owner if the run is still current at that time, and returns its result.
  ///
  /// - Returns: The result of `body`, or `nil` if it did not run. Then the run can stop: it can no longer
  ///   commit.
  public func callAsFunction<Answer: Sendable>(
    _ body: @Sendable (isolated Owner) -> Answer
  ) async -> Answer? {
    guard let owner else { return nil }
    return await pass(owner, endsRun: false, body)
  }

  /// Runs `body` as the last step of the run: within `body` the slot is free for another run.
  func commitLast(_ body: @Sendable (isolated Owner) -> Void) async {
    guard let owner else { return runs.end(number) }
    _ = await pass(owner, endsRun: true, body)
  }

  private func pass<Answer: Sendable>(
    _ owner: isolated Owner, endsRun: Bool, _ body: @Sendable (isolated Owner) -> Answer
  ) async -> Answer? {
    let isCurrent = runs.isCurrent(number)
    if endsRun { runs.end(number) }
    return isCurrent ? body(owner) : nil
  }
}
