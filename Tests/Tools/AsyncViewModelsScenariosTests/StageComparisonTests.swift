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
      try await ProfileComparison.contract().compare(
        [
          .perform(.model(.load)), .answer(0, with: 0), .perform(.model(.edit(.name, "Bo"))),
          .answer(0, with: 1), .perform(.model(.save)), .answer(1, with: 1), .perform(.model(.revert)),
        ], seeds: 1...20)
    }

    @Test("a difference is printed as the script that leads to it, with the lines that differ")
    func difference() async throws {
      let failure = await #expect(throws: SimulationFailure.self) {
        try await CountingStages.contract().compare(
          [.perform(.model(.count)), .wait(milliseconds: 1), .perform(.model(.reset)), .leave], seeds: 1...1)
      }
      #expect(
        "\(try #require(failure).reason)".hasPrefix(
          """
          the stages differ after the last step of this script:

            try await CountingStages.contract(variant: 0).compare([
              .perform(.model(.count)),
              .wait(milliseconds: 1),
              .perform(.model(.reset)),
            ])

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

    static let intents: [Intent] = [.count, .reset]
    static let steps: [StageStep<Intent>] = []

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

    static func shown(_ state: Int) -> KeyValuePairs<String, Any> { ["count": state] }
  }
#endif
