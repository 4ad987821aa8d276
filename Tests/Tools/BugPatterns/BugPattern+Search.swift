package import AsyncViewModelsSimulation

extension BugPattern {
  /// The seeds within which the simulator finds a pattern.
  package static let seedsToFind: ClosedRange<UInt64> = 1...2_000

  /// The plan that looks for the bug.
  package var search: SimulationPlan {
    SimulationPlan(
      seeds: Self.seedsToFind, queues: queues, interruptions: interruptions, timerTolerance: timerTolerance,
      body: broken)
  }

  /// The plan that runs the repaired program.
  package func check(seeds: ClosedRange<UInt64>) -> SimulationPlan {
    SimulationPlan(
      seeds: seeds, queues: queues, interruptions: interruptions, timerTolerance: timerTolerance,
      body: repaired)
  }
}
