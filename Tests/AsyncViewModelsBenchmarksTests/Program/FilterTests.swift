import AsyncViewModelsCommandLine
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

  private func names(selectedBy expression: String) throws -> [String] {
    try groups.selected(by: expression).flatMap(\.names)
  }

  @Test("an expression may match any part of the full name, and ignores case")
  func selection() throws {
    #expect(try names(selectedBy: "mutex$") == ["State / send / Mutex"])
    #expect(
      try names(selectedBy: "^(cart|state / send / obs)")
        == ["State / send / ObservableState", "Cart / add / closure"])
  }

  @Test("an error names an invalid expression")
  func invalid() {
    #expect {
      try names(selectedBy: "(open")
    } throws: { error in
      guard case UsageError.invalidValue("--filter", "(open", let expected) = error else { return false }
      return expected.contains("regular expression")
    }
  }

  @Test("an error names an expression that selects nothing")
  func nothing() {
    #expect(throws: UsageError.nothingSelected(flag: "--filter", value: "xyz")) {
      try names(selectedBy: "xyz")
    }
  }
}
