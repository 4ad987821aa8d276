#if !canImport(Darwin)
  import AsyncViewModels
  import AsyncViewModelsSimulation
  import AsyncViewModelsTesting
  import StorefrontDomain
  import StorefrontTesting
  import Testing

  @testable import Simulation

  @Suite("Simulation: comparison of the stages", .timeLimit(.minutes(5)), .endsWaits)
  struct StageComparisonTests {
    @Test("a refused intent of the form writes nothing to the storage, also after a failed write")
    func refusedIntent() async throws {
      try await simulate(seeds: 1...20, queues: Scenario.queues) { world in
        await compareStages(
          of: ProfileComparison.self, StageSetup(),
          [
            .perform(.load), .answer(0, with: 0), .perform(.edit(.name, "Bo")), .answer(0, with: 1),
            .perform(.save), .answer(1, with: 1), .perform(.revert),
          ], in: world)
      }
    }

    @Test("a difference is printed as the script that leads to it, with the lines that differ")
    func difference() async throws {
      let failure = await #expect(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1, queues: Scenario.queues) { world in
          await compareStages(
            of: CountingStages.self, StageSetup(),
            [.perform(.count), .wait(milliseconds: 1), .perform(.reset), .leave], in: world)
        }
      }
      #expect(
        "\(try #require(failure).reason)".hasPrefix(
          """
          the stages of CountingStages differ after the last step of this script:

            await compareStages(of: CountingStages.self, StageSetup(hearsCancellation: false, variant: 0), [
              .perform(.count),
              .wait(milliseconds: 1),
              .perform(.reset),
            ], in: world)

          closure:
            count: 0
          stream:
            count: 0
          async:
            count: 1
          """))
    }
  }

  /// A feature whose async stage forgets to reset its count.
  private struct CountingStages: ComparedFeature {
    enum Intent { case count, reset }

    static let steps: [Step<Intent>] = []

    private let state = StateStore(0)
    private let stage: MigrationStage

    init(in surroundings: Surroundings) { stage = surroundings.stage }

    func perform(_ intent: Intent) async -> IntentOutcome? {
      switch intent {
      case .count: state.update { $0 += 1 }
      case .reset: if stage != .async { state.send(0) }
      }
      return nil
    }

    var states: AsyncStream<Int> { state.states() }

    static func lines(of state: Int) -> [String] { ["count: \(state)"] }
  }
#endif
