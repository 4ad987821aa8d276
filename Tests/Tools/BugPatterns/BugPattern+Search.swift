package import AsyncViewModelsSimulation

extension BugPattern {
  /// The seeds within which the simulator finds a pattern.
  package static let seedsToFind: ClosedRange<UInt64> = 1...2_000

  /// The plan that looks for the bug.
  package func search(with hooks: RuntimeHooks = .ofThisPlatform) -> SimulationPlan {
    plan(broken, seeds: Self.seedsToFind, hooks)
  }

  /// The plan that runs the repaired program.
  package func check(seeds: ClosedRange<UInt64>, with hooks: RuntimeHooks = .ofThisPlatform) -> SimulationPlan
  {
    plan(repaired, seeds: seeds, hooks)
  }

  private func plan(
    _ body: @escaping Body, seeds: ClosedRange<UInt64>, _ hooks: RuntimeHooks
  ) -> SimulationPlan {
    var plan = SimulationPlan(
      seeds: seeds, queues: queues, interruptions: interruptions, timerTolerance: timerTolerance, body: body)
    plan.hooks = hooks
    return plan
  }
}
