import Testing

@testable import AsyncViewModelsBenchmarks

@Suite(.timeLimit(.minutes(1)))
struct BenchmarkSuiteTests {
  @Test("no two benchmarks have one name, and every group has its reference")
  func names() {
    let groups = BenchmarkSuite.groups(server: ServerProcess(catalog: nil))
    let names = groups.flatMap { group in group.benchmarks.map(group.name(of:)) }
    #expect(Set(names).count == names.count)
    for group in groups {
      #expect(
        group.benchmarks.contains { $0.variant == group.reference }, "\(group.section) / \(group.title)")
    }
  }
}
