import Testing

@testable import AsyncViewModelsCommandLine

@Suite(.timeLimit(.minutes(5)))
struct ArgumentReaderTests {
  /// A command line with one flag of each kind.
  private struct Arguments: Equatable {
    var name: String?
    var count: Int?
    var isQuick = false

    init(_ arguments: [String]) throws(UsageError) {
      var reader = ArgumentReader(arguments)
      while let flag = try reader.nextFlag() {
        switch flag {
        case "--name": name = try reader.value()
        case "--count": count = try reader.value("a number") { Int($0) }
        case "--quick", "-q": isQuick = true
        default: throw .unknownFlag(flag)
        }
      }
    }
  }

  @Test("a value is the next argument or follows an equals sign; the last value of a repeated flag counts")
  func flags() throws {
    let separate = try Arguments(["--name", "a=b", "--quick", "--count", "3"])
    #expect(separate == (try Arguments(["--name=a=b", "-q", "--count=1", "--count=3"])))
    #expect(separate.name == "a=b" && separate.count == 3 && separate.isQuick)
  }

  @Test(
    "an error names the bad argument",
    arguments: [
      (["--slow"], UsageError.unknownFlag("--slow")),
      (["--slow=1"], .unknownFlag("--slow")),
      (["-x"], .unknownFlag("-x")),
      (["search"], .unexpectedArgument("search")),
      (["--quick", "search"], .unexpectedArgument("search")),
      (["--name"], .missingValue(flag: "--name")),
      (["--name", "--quick"], .missingValue(flag: "--name")),
      (["--name="], .missingValue(flag: "--name")),
      (["--quick=yes"], .needlessValue(flag: "--quick")),
      (["--quick=yes", "--name", "a"], .needlessValue(flag: "--quick")),
      (["--count", "many"], .invalidValue(flag: "--count", value: "many", expected: "a number")),
    ])
  func errors(arguments: [String], error: UsageError) {
    #expect(throws: error) { try Arguments(arguments) }
  }

  @Test("the description of an error contains what the user wrote")
  func descriptions() {
    #expect("\(UsageError.unknownFlag("--slow"))" == "unknown flag '--slow'")
    #expect(
      "\(UsageError.invalidValue(flag: "--count", value: "x", expected: "a number"))"
        == "--count needs a number, not 'x'")
    #expect("\(UsageError.unwritable(path: "/no/where", reason: "gone"))".contains("/no/where"))
    #expect("\(UsageError.conflict(flag: "--a", other: "--b"))" == "--a and --b cannot be combined")
    #expect(
      "\(UsageError.sameFile(flag: "--a", other: "--b", path: "x"))" == "--a and --b name the same file, 'x'")
    #expect("\(UsageError.nothingSelected(flag: "--filter", value: "xyz"))".contains("--filter 'xyz'"))
  }

  @Test("large numbers are grouped by thousands")
  func grouping() {
    #expect([0, 100, 1_000, -1_234_567].map(\.grouped) == ["0", "100", "1,000", "-1,234,567"])
  }
}
