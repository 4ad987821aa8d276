/// Lets one run of a ``TaskSlot`` change the state of its owner, such as a view model, as long as the run is
/// current.
///
/// The gate closes when the run ends, is superseded or is cancelled. The gate does not keep the owner alive.
public struct CommitGate<Owner: AnyObject & Sendable>: Sendable {
  private weak let owner: Owner?
  private let runs: TaskRuns
  private let run: TaskRuns.ID

  init(owner: Owner, runs: TaskRuns, run: TaskRuns.ID) {
    self.owner = owner
    self.runs = runs
    self.run = run
  }

  /// Whether the run is still current. Outside the owner's isolation, this is only a hint: the gate can close
  /// at any time.
  public var isOpen: Bool { runs.isCurrent(run) }
}

extension CommitGate where Owner: Actor {
  /// Runs `body` on the owner, unless the gate has closed by then or the owner has been deallocated.
  ///
  /// - Returns: Whether `body` ran. If not, the work can end: its later steps will not run either.
  @discardableResult
  public func callAsFunction(_ body: @Sendable (isolated Owner) -> Void) async -> Bool {
    await self { owner -> Void? in body(owner) } != nil
  }

  /// Runs `body` on the owner, unless the gate has closed by then or the owner has been deallocated. Returns
  /// the result of `body`.
  ///
  /// - Returns: The result of `body`, or `nil` if `body` did not run. In that case, the work can end: its
  ///   later steps will not run either.
  public func callAsFunction<Answer: Sendable>(
    _ body: @Sendable (isolated Owner) -> Answer
  ) async -> Answer? {
    guard let owner else { return nil }
    return await pass(owner, body)
  }

  /// Ends the run, and calls `body` if the run is still current and the owner is alive. Within `body`, the run
  /// no longer counts as running, so `body` can start another run.
  func end(_ body: @Sendable (isolated Owner) -> Void) async {
    if let owner { await end(on: owner, body) } else { runs.end(run) {} }
  }

  /// Removes a caller from the run. If it was the last caller, calls `body` on the owner and cancels the run.
  func leave(_ caller: TaskRuns.ID, _ body: @Sendable (isolated Owner) -> Void) async {
    if let owner { await leave(caller, on: owner, body) } else { runs.leave(run, caller) {} }
  }

  private func pass<Answer: Sendable>(
    _ owner: isolated Owner, _ body: @Sendable (isolated Owner) -> Answer
  ) -> Answer? {
    isOpen ? body(owner) : nil
  }

  private func end(on owner: isolated Owner, _ body: @Sendable (isolated Owner) -> Void) {
    runs.end(run) { body(owner) }
  }

  private func leave(
    _ caller: TaskRuns.ID, on owner: isolated Owner, _ body: @Sendable (isolated Owner) -> Void
  ) {
    runs.leave(run, caller) { body(owner) }
  }
}

extension CommitGate {
  /// Runs `body` on the main actor, unless the gate has closed by then or the owner has been deallocated.
  ///
  /// - Returns: Whether `body` ran. If not, the work can end: its later steps will not run either.
  @MainActor @discardableResult
  public func callAsFunction(_ body: @MainActor (Owner) -> Void) async -> Bool {
    await self { owner -> Void? in body(owner) } != nil
  }

  /// Runs `body` on the main actor, unless the gate has closed by then or the owner has been deallocated.
  /// Returns the result of `body`.
  ///
  /// - Returns: The result of `body`, or `nil` if `body` did not run. In that case, the work can end: its
  ///   later steps will not run either.
  @MainActor
  public func callAsFunction<Answer: Sendable>(_ body: @MainActor (Owner) -> Answer) async -> Answer? {
    guard let owner, isOpen else { return nil }
    return body(owner)
  }

  /// Ends the run, and calls `body` if the run is still current and the owner is alive. Within `body`, the run
  /// no longer counts as running, so `body` can start another run.
  @MainActor
  func end(_ body: @MainActor (Owner) -> Void) {
    runs.end(run) { if let owner { body(owner) } }
  }

  /// Removes a caller from the run. If it was the last caller, calls `body` on the owner and cancels the run.
  @MainActor
  func leave(_ caller: TaskRuns.ID, _ body: @MainActor (Owner) -> Void) {
    runs.leave(run, caller) { if let owner { body(owner) } }
  }
}
