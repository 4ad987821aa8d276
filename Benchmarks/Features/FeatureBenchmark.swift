import AsyncViewModelsBenchmarkHarness
import Foundation
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels

/// A piece of a feature's work, as each stage does it.
///
/// Timed from the intent to the state in which its outcome shows, as that stage's user comes to see it: the closure
/// stage's through the observer that is bound, the others' through their stream.
struct FeatureBenchmark: Sendable {
  let feature: String
  let title: String
  let unit: String
  let backend: Backend
  let catalog: Catalog
  /// Builds what is to be repeated: in which stage, on which services.
  let workload: @Sendable (MigrationStage, Storefronts) throws -> Workload

  /// One variant for each stage, compared with where a migration begins.
  var group: BenchmarkGroup {
    BenchmarkGroup(
      section: feature, title: "\(title), \(backend.label)", unit: unit,
      reference: MigrationStage.closure.variant,
      usesServer: backend.usesServer,
      benchmarks: MigrationStage.allCases.map { stage in
        Benchmark(stage.variant) { try workload(stage, try storefronts()) }
      })
  }

  /// New ones for each visit, so that no stage finds the connections of another.
  private func storefronts() throws -> Storefronts {
    switch backend {
    case .memory:
      let storefront = InstantStorefront(catalog)
      return Storefronts(closure: storefront, async: storefront)
    case .http(let server):
      let url = try server.url
      return Storefronts(closure: HTTPClosureStorefront(baseURL: url), async: HTTPStorefront(baseURL: url))
    }
  }
}

extension MigrationStage {
  /// The name of this stage's variants.
  var variant: String { "\(self) stage" }
}
