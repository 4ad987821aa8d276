import AsyncViewModelsTesting
import StorefrontTesting
import Testing

/// Every stage works with both forms of its service and with every kind of consumer.
@Suite("Mixes of old and new", .timeLimit(.minutes(5)), .endsWaits)
struct MixTests {
  @Test(
    "each consumer of each stage receives the states of each feature, on both forms of the service",
    arguments: Mix.features)
  func mixes(feature: Feature) async throws {
    for mix in Mix.all(feature) { try await mix.check() }
  }

  @Test("each feature is tested in each stage, on each form of the service, with each consumer")
  func completeness() {
    #expect(Mix.features.count == 9)
    for feature in Mix.features {
      let mixes = Mix.all(feature)
      for stage in MigrationStage.allCases {
        for form in [ServiceForm.native, .crossed] {
          for consumer in Consumer.allCases {
            let count = mixes.count {
              $0.stage.stage == stage && $0.stage.form == form && $0.consumer == consumer
            }
            #expect(count == 1, "\(feature), \(stage), \(form), \(consumer.rawValue)")
          }
        }
      }
    }
  }
}
