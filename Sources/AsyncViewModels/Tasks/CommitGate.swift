/// The right of one run of a ``TaskSlot`` to change its owner. It closes when the run is superseded or cancelled, and does not keep
/// the owner alive.
public struct CommitGate<Owner: Actor>: Sendable {
  private weak let owner: Owner?
  private let runs: TaskRuns
  private let number: UInt64

  init(owner: Owner, runs: TaskRuns, number: UInt64) {
    self.owner = owner
    self.runs = runs
    self.number = number
  }

  /// Whether the run is still the current one. Only a hint: off the owner, it may close at any moment.
  public var isOpen: Bool { runs.isCurrent(number) }

  /// Runs `body` on the owner if the run is still the current one then.
  ///
  /// - Returns: whether it ran. If not, there is nobody left to work for.
  @discardableResult
  public func callAsFunction(_ body: @Sendable (isolated Owner) -> Void) async -> Bool {
    guard let owner else { return false }
    return await pass(owner, endsRun: false, body) != nil
  }

  /// Runs `body` on the owner if the run is still the current one then.
  ///
  /// - Returns: what `body` returns. If nil, there is nobody left to work for.
  public func callAsFunction<Answer: Sendable>(
    _ body: @Sendable (isolated Owner) -> Answer
  ) async -> Answer? {
    guard let owner else { return nil }
    return await pass(owner, endsRun: false, body)
  }

  /// The same, as the run's last step: within `body` the slot is free for another run.
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
