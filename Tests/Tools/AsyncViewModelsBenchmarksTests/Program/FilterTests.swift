import AsyncViewModelsCommandLine
import Testing

@testable import AsyncViewModelsBenchmarkHarness

@Suite(.timeLimit(.minutes(5)))
struct FilterTests {
  private let groups = [
    BenchmarkGroup(
      section: "State", title: "send", unit: "value", reference: "Mutex",
      benchmarks: [Benchmark("Mutex") { $0 }, Benchmark("StateStore") { $0 }]),
    BenchmarkGroup(
      section: "Cart", title: "add", unit: "add", reference: "closure",
      benchmarks: [Benchmark("closure") { $0 }]),
  ]

  private func names(selectedBy patterns: String...) throws -> [String] {
    try groups.selected(by: patterns).flatMap(\.names)
  }

  @Test("a filter matches any part of a full name and ignores case; several filters select more names")
  func selection() throws {
    #expect(try names(selectedBy: "MUTEX") == ["State / send / Mutex"])
    #expect(
      try names(selectedBy: "cart", "state / send / sta")
        == ["State / send / StateStore", "Cart / add / closure"])
    #expect(try groups.selected(by: []).flatMap(\.names).count == 3)
  }

  @Test(
    "an asterisk stands for any text, and the parts around it occur in order",
    arguments: [
      ("state*sta", ["State / send / StateStore"]), ("*mutex*", ["State / send / Mutex"]),
      ("a*a*/*o", ["Cart / add / closure"]), ("send*t*t*e", ["State / send / StateStore"]),
    ])
  func asterisks(pattern: String, selected: [String]) throws {
    #expect(try names(selectedBy: pattern) == selected)
    #expect(throws: UsageError.nothingSelected(flag: "--filter", value: "obs*state / send")) {
      try names(selectedBy: "obs*state / send")
    }
  }

  @Test("the time of a search does not grow exponentially with the number of asterisks")
  func manyAsterisks() {
    let pattern = String(repeating: "e*", count: 10_000) + "x"
    #expect(throws: UsageError.nothingSelected(flag: "--filter", value: pattern)) {
      try names(selectedBy: pattern)
    }
  }

  @Test("an error names a filter that selects nothing, even if another filter selects something")
  func nothing() {
    #expect(throws: UsageError.nothingSelected(flag: "--filter", value: "xyz")) {
      try names(selectedBy: "cart", "xyz")
    }
  }
}
