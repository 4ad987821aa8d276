#if os(Linux) || os(macOS)
  import AsyncViewModelsTesting
  import Foundation
  import Testing

  /// Tests the arguments of `Tests/Mutants/run`. The script needs Python, which the package itself does not.
  @Suite("Mutants: the command line", .timeLimit(.minutes(5)), .enabled(if: hasPython))
  @ChildProcesses
  struct MutantsCommandTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Mutants/run").path

    @Test(
      "a bad number or an unknown mutant is a usage error, not a successful run without mutants",
      arguments: [
        ["--rotate", "-3"], ["--rotate", "0"], ["--rotate", "x"], ["--seeds", "0"], ["--only", "nothing"],
        ["--apply", "nothing"],
      ])
    func badUsage(arguments: [String]) throws {
      let result = try run("python3", [Self.script] + arguments)
      #expect(result.status == 2)
      #expect(result.errors.contains(arguments[1]))
    }
  }

  private let hasPython = (try? run("python3", ["--version"]))?.status == 0

  private func run(_ name: String, _ arguments: [String]) throws -> (status: Int32, errors: String) {
    let (process, errors) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let data = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
#endif
