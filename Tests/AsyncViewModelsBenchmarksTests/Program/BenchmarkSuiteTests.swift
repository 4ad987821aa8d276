import AsyncViewModelsBenchmarkHarness
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
}
