import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(1)))
struct FilterTests {
  private let groups = [
    BenchmarkGroup(
      section: "State", title: "send", unit: "value", reference: "Mutex",
      benchmarks: [Benchmark("Mutex") { $0 }, Benchmark("ObservableState") { $0 }]),
    BenchmarkGroup(
      section: "Cart", title: "add", unit: "add", reference: "closure",
      benchmarks: [Benchmark("closure") { $0 }]),
  ]

  private func names(selectedBy pattern: String) throws -> [String] {
    try Filter(pattern).selection(of: groups).flatMap { group in group.benchmarks.map(group.name(of:)) }
  }

  @Test("an expression is looked for anywhere in the full name, in whatever case")
  func selection() throws {
    #expect(try names(selectedBy: "mutex$") == ["State / send / Mutex"])
    #expect(
      try names(selectedBy: "^(cart|state / send / obs)")
        == ["State / send / ObservableState", "Cart / add / closure"])
  }

  @Test("an expression that is none is refused by name")
  func invalid() {
    #expect {
      try Filter("(open")
    } throws: { error in
      guard case UsageError.invalidRegex("(open", let reason) = error else { return false }
      return !reason.isEmpty
    }
  }

  @Test("an expression that selects nothing is refused by name")
  func nothing() {
    #expect(throws: UsageError.nothingSelected(filter: "xyz")) { try names(selectedBy: "xyz") }
  }
}
