import AsyncViewModelsCommandLine
import Testing

@testable import Benchmarks

@Suite(.timeLimit(.minutes(5)))
struct MatrixOptionsTests {
  @Test("every flag is read and named in the usage, and an unknown flag is an error")
  func flags() throws {
    let options = try MatrixOptions([
      "--markdown", "--json", "out.json", "--update=A.md", "--update", "B.md",
    ])
    #expect(
      options.isMarkdown && options.json == "out.json" && options.pages == ["A.md", "B.md"]
        && !options.isHelp)
    #expect(try MatrixOptions(["-h"]).isHelp)
    #expect(throws: UsageError.unknownFlag("--quick")) { try MatrixOptions(["--quick"]) }
    for flag in ["--markdown", "--update", "--json", "--help"] {
      #expect(MatrixOptions.usage.contains("\n  \(flag) "))
    }
  }
}
