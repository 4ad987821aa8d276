import AsyncViewModelsBenchmarkHarness
import StorefrontTesting
import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct BenchmarkSuiteTests {
  @Test("all benchmarks have different names, and every group contains its reference variant")
  func names() {
    let groups = BenchmarkSuite.groups(server: ServerProcess())
    let names = groups.flatMap(\.names)
    #expect(Set(names).count == names.count)
    for group in groups {
      #expect(
        group.benchmarks.contains { $0.variant == group.reference }, "\(group.section) / \(group.title)")
    }
  }

  @Test(
    "each feature is measured in memory, and one load and three at once over HTTP, with the three stages side by side",
    arguments: [
      "Product list", "Search", "Cart", "Dashboard", "Catalog", "Profile", "Posts", "Detail",
    ].map { ($0, "in memory") } + [("Product list", "over HTTP"), ("Dashboard", "over HTTP")])
  func features(feature: String, backend: String) {
    let stages = MigrationStage.allCases.map(\.variant)
    let groups = BenchmarkSuite.groups(server: ServerProcess()).filter { group in
      group.section == feature && group.title.hasSuffix(backend)
    }
    #expect(!groups.isEmpty)
    for group in groups { #expect(group.benchmarks.map(\.variant) == stages, "\(group.title)") }
  }
}
