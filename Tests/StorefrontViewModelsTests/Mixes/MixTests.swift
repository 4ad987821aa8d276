import AsyncViewModelsTesting
import StorefrontTesting
import Testing

/// Every stage works with both forms of its service and with every kind of consumer.
@Suite("Mixes of old and new", .timeLimit(.minutes(5)))
struct MixTests {
  @Test(
    "each consumer of each stage receives the states of each feature, on both forms of the service",
    arguments: Mix.features)
  func mixes(feature: Feature) async throws {
    for mix in Mix.all(feature) { try await mix.check() }
  }
}
