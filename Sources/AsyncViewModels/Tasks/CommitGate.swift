/// Lets a run of a ``TaskSlot`` change its owner, such as a view model, while the run is current.
///
/// ```swift
/// await slot.run(on: self) { gate in
///   for page in 1...3 {
///     guard let items = try? await service.items(page) else { return }
///     guard await gate({ $0.add(items) }) else { return }
///   }
/// } onCancel: { $0.showCancellation() }
/// ```
///
/// The gate closes when the run ends, is superseded or is cancelled. The gate does not keep the
/// owner alive.
public struct CommitGate<Owner: AnyObject & Sendable>: Sendable {
  private weak let owner: Owner?
  private let runs: TaskRuns
  private let run: TaskRuns.ID

  init(owner: Owner, runs: TaskRuns, run: TaskRuns.ID) {
    self.owner = owner
    self.runs = runs
    self.run = run
  }

  /// Whether the run is still current. Outside the owner's isolation, this is only a hint: the gate
  /// can close at any time.
  public var isOpen: Bool { runs.isCurrent(run) }

  /// Whether other runs of the slot can still commit. Call it in the commit of this run.
  var isBesideOthers: Bool { runs.isRunning }
}

extension CommitGate {
  /// Ends the run, or removes one of its callers. See ``TaskRuns/end(_:leaving:_:)``.
  ///
  /// - Parameter commit: Called in the isolation, if the owner is alive.
  func end(
    leaving caller: TaskRuns.ID?, in isolation: isolated (any Actor)?, _ commit: (Owner) -> Void
  ) {
    runs.end(run, leaving: caller) { if let owner { commit(owner) } }
  }
}

extension CommitGate where Owner: Actor {
  /// Runs `body` on the owner, unless the gate has closed or the owner has been deallocated.
  ///
  /// - Returns: Whether `body` ran. If not, return from the work: its later steps will not run
  ///   either.
  @discardableResult
  public func callAsFunction(_ body: @Sendable (isolated Owner) -> Void) async -> Bool {
    await self { owner -> Void? in body(owner) } != nil
  }

  /// Runs `body` on the owner, unless the gate has closed or the owner has been deallocated.
  ///
  /// - Returns: The result of `body`, or `nil` if `body` did not run. In that case, return from the
  ///   work: its later steps will not run either.
  public func callAsFunction<Output: Sendable>(
    _ body: @Sendable (isolated Owner) -> Output
  ) async -> Output? {
    guard let owner else { return nil }
    return await owner.isolating { isOpen ? body($0) : nil }
  }

  /// Ends the run, or removes one of its callers. See ``TaskRuns/end(_:leaving:_:)``.
  ///
  /// - Parameter commit: Called on the owner, if the owner is alive.
  func end(leaving caller: TaskRuns.ID?, _ commit: @Sendable (isolated Owner) -> Void) async {
    guard let owner else { return runs.end(run, leaving: caller) {} }
    await owner.isolating { owner in runs.end(run, leaving: caller) { commit(owner) } }
  }
}

/// For an owner on the main actor.
extension CommitGate {
  /// Calls `body` with the owner on the main actor if the run is still current. Returns whether it
  /// was.
  @MainActor @discardableResult
  public func callAsFunction(_ body: @MainActor (Owner) -> Void) async -> Bool {
    await self { owner -> Void? in body(owner) } != nil
  }

  /// Calls `body` with the owner on the main actor, and returns its result. Returns `nil` if the
  /// run is not current any more.
  @MainActor
  public func callAsFunction<Output: Sendable>(_ body: @MainActor (Owner) -> Output) async -> Output? {
    guard let owner, isOpen else { return nil }
    return body(owner)
  }

  /// Ends the run, or removes one of its callers. See ``TaskRuns/end(_:leaving:_:)``.
  @MainActor
  func end(leaving caller: TaskRuns.ID?, _ commit: @MainActor (Owner) -> Void) {
    runs.end(run, leaving: caller) { if let owner { commit(owner) } }
  }
}

extension Actor {
  /// Calls `body` in the isolation of this actor.
  fileprivate func isolating<Output: Sendable>(_ body: @Sendable (isolated Self) -> Output) -> Output {
    body(self)
  }
}
