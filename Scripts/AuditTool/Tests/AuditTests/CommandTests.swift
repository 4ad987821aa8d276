import Foundation
import Testing

@Suite("Command line", .timeLimit(.minutes(1)))
struct CommandTests {
  /// Runs the built tool, which stands beside the bundle of the tests.
  private func audit(_ arguments: [String]) throws -> (code: Int32, output: String, error: String) {
    let bundle = try #require(CommandLine.arguments.first { $0.contains(".xctest") })
    let folder = URL(fileURLWithPath: String(bundle.prefix(upTo: bundle.range(of: ".xctest")!.lowerBound)))
      .deletingLastPathComponent()
    let process = Process(), output = Pipe(), error = Pipe()
    process.executableURL = folder.appendingPathComponent("audit")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = error
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let message = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text, message)
  }

  @Test(
    "bad usage exits with 2 and says what is wrong",
    arguments: [
      (["--colour", "."], "--colour"), ([], "at least one file"), (["/no/such"], "'/no/such'"),
      (["--only", "no-kind", "--list"], "'no-kind'"), (["find"], "at least one file"),
    ])
  func badUsage(arguments: [String], message: String) throws {
    let result = try audit(arguments)
    #expect(result.code == 2)
    #expect(result.error.contains(message))
    #expect(result.output == "")
  }

  @Test("bad usage of a subcommand prints the usage of the subcommand")
  func usage() throws {
    let result = try audit(["plan"])
    #expect(result.code == 2)
    #expect(result.error.contains("Usage: audit plan [<paths> ...]"))
    #expect(result.error.contains("at least one file"))
  }

  @Test("finding is the subcommand without a name, and help exits with 0")
  func subcommands() throws {
    let list = try audit(["--list"])
    #expect(list.code == 0 && list.output.contains("queue-sync (hazard)"))
    #expect(list.output.contains("contradictory-state (note or hazard)"))
    #expect(try audit(["find", "--list"]).output == list.output)
    #expect(try audit(["--help"]).code == 0)
  }

  @Test("a finding of the given severity exits with 1")
  func failing() throws {
    let corpus =
      String(#filePath.dropLast("Tests/AuditTests/CommandTests.swift".count))
      + "Corpus/check-before-await.swift"
    #expect(try audit([corpus]).code == 0)
    #expect(try audit([corpus, "--fail-on", "hazard"]).code == 1)
  }
}
