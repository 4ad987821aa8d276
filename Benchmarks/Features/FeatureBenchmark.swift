import AsyncViewModelsBenchmarkHarness
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting

/// A piece of a feature's work, done by each stage.
///
/// Measures the time from the intent to the state that shows its outcome. The closure stage delivers the state to its
/// bound observer, and the other stages deliver it through a stream.
struct FeatureBenchmark: Sendable {
  let feature: String
  let title: String
  let unit: String
  let backend: Backend
  let catalog: Catalog
  /// Builds the workload of a stage on these services.
  let workload: @Sendable (MigrationStage, Storefronts) throws -> Workload

  /// One variant for each stage, compared with the closure stage.
  var group: BenchmarkGroup {
    let group = BenchmarkGroup(
      section: feature, title: "\(title), \(backend.label)", unit: unit,
      reference: MigrationStage.closure.variant,
      benchmarks: MigrationStage.allCases.map { stage in
        Benchmark(stage.variant) { try workload(stage, try storefronts()) }
      })
    return switch backend {
    case .http: group.onServer
    // In memory, the stages differ most: over HTTP, all of them wait for the server.
    case .memory: group.asHeadline
    }
  }

  /// Creates the services again each time the runner measures a stage, so that no stage reuses the connections of
  /// another.
  private func storefronts() throws -> Storefronts {
    switch backend {
    case .memory:
      let storefront = InstantStorefront(catalog)
      return Storefronts(closure: storefront, async: storefront)
    case .http(let server):
      let url = try server.url
      return Storefronts(
        closure: try HTTPClosureStorefront(baseURL: url), async: try HTTPStorefront(baseURL: url))
    }
  }
}

extension MigrationStage {
  /// The name of this stage's variants.
  var variant: String { "\(self) stage" }
}
