#if os(Linux)
  import AsyncViewModelsBugPatterns
  import AsyncViewModelsTesting
  import Foundation
  import Testing

  @testable import Simulation

  /// Runs the program as a user does. On Linux, the program lies beside the executable of the tests.
  @Suite("Simulation: the executable", .timeLimit(.minutes(5)))
  @ChildProcesses
  struct ExecutableTests {
    private static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "Simulation")
    private nonisolated static let small = "observation/subscribe-against-send"

    private func run(
      _ arguments: [String], output: FileHandle = .nullDevice
    ) throws -> (status: Int32, errors: String) {
      let (process, errors) = (Process(), Pipe())
      process.executableURL = Self.executable
      process.arguments = arguments
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      let data = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    @Test(
      "on bad usage, the program names the wrong argument before it runs a scenario, and exits with code 2",
      arguments: [
        (["--json", "/no/such/folder/out.json"], "'/no/such/folder/out.json'"),
        (["--svg", "/no/such/folder/out.svg"], "'/no/such/folder/out.svg'"),
        (["--json", "simulation.out", "--svg", "./simulation.out"], "--json and --svg"),
        (["--replay", "path:1000000=1,1000001=1"], "path:1000000=1,1000001=1"),
        (["--replay", "path:0=1", "--scenario", "observation"], "unless --scenario selects one scenario"),
        (["--replay", "path:0=1", "--scenario", "cart", "--exhaustive"], "--exhaustive and --replay"),
        (["--exhaustive", "--strategy", "random"], "--exhaustive and --strategy"),
        (["--scenario", "cart", "--exhaustive"], "a scenario of at most 3 tasks"),
        (["--patterns", "--replay", "1"], "--patterns and --replay"),
        (["--apple"], "--apple needs --patterns"),
      ])
    func badUsage(arguments: [String], name: String) throws {
      let result = try run(arguments)
      #expect(result.status == 2)
      #expect(result.errors.hasPrefix("error: "))
      #expect(result.errors.contains(name))
    }

    @Test("--patterns finds what it should find, and prints each bug with its thread")
    func patterns() throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).txt")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data().write(to: file)
      let handle = try FileHandle(forWritingTo: file)
      #expect(try run(["--patterns", "--seeds", "10"], output: handle).status == 0)
      let output = try String(contentsOf: file, encoding: .utf8)
      for pattern in BugPattern.all {
        #expect(output.contains("✓ \(pattern.name) "))
        #expect(output.contains("\(pattern.summary): \(pattern.thread.url)\n"))
      }
    }

    @Test(
      "the JSON results name the strategy, or the path of a replay",
      arguments: [
        (["--exhaustive"], "exhaustive"), (["--replay", "path:0=1"], "path:0=1"),
        (["--strategy", "pct:999999999", "--seeds", "2"], "pct:999999999"),
      ])
    func strategies(arguments: [String], strategy: String) throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(try run(["--scenario", Self.small, "--json", file.path] + arguments).status == 0)
      let results = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
      #expect(results?["strategy"] as? String == strategy)
      #expect((results?["seeds"] as? Int ?? 0) > 0)
    }

    @Test(
      "writing to a full standard output is an error",
      arguments: [["--list"], ["--scenario", small, "--seeds", "1"]])
    func fullOutput(arguments: [String]) throws {
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let result = try run(arguments, output: full)
      #expect(result.status == 1)
      #expect(result.errors.contains("cannot write to standard output: No space left on device"))
    }
  }
#endif
