#if os(Linux)
  import AsyncViewModelsTesting
  import Foundation
  import StorefrontDomain
  import StorefrontServices
  import StorefrontTesting
  import Testing

  /// Runs the program as a user does. On Linux, the program lies beside the executable of the tests.
  @Suite("Storage crashes", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
  struct StorageCrashesTests {
    private static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "StorageCrashes")
    /// Without the files of the tools: a process that is killed, or whose files are limited, leaves a damaged profile of
    /// the test coverage, and ends at its start if the thread sanitizer cannot write a file that it then reads. Without a
    /// folder, the sanitizer does without that file. The sanitizer prefers `TMPDIR`, so that variable is left out.
    private static let environment = ProcessInfo.processInfo.environment.merging(
      ["LLVM_PROFILE_FILE": "/dev/null", "TEST_TMPDIR": "/dev/null"]) { $1 }
      .filter { $0.key != "TMPDIR" }
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a command until its end.
    private func run(_ executable: URL, _ arguments: [String]) async throws -> (status: Int32, output: String)
    {
      let started = try StartedProcess(executable, arguments, environment: Self.environment)
      let output = await started.read { $0.readDataToEndOfFile() }
      return (await started.status, output)
    }

    @Test("a process that is killed at any moment leaves the old or the new value")
    func crashes() async throws {
      let result = try await run(Self.executable, ["--moments", "30"])
      #expect(result.status == 0, "\(result.output)")
      #expect(result.output.contains("✓ killed at 30 random moments"))
      #expect(!result.output.contains("\n\n"), "the progress has no empty lines")
    }

    @Test("a write beyond the limit of the process keeps the old file and removes the temporary file")
    func sizeLimit() async throws {
      // The values grow by about 40 bytes each, so the limit of 4 blocks is reached before value 100.
      let command = "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\""
      let result = try await run(
        URL(fileURLWithPath: "/bin/sh"),
        ["-c", command, Self.executable.path, "--child", folder.file.path, "--saves", "200"])
      #expect(result.output.contains("The new version of note.json could not be written: File too large"))
      #expect(try folder.names == ["note.json"])
      #expect(try StoredFile(folder.bytes()).schema == 1)
    }

    @Test("a file that another process uses is refused until that process ends")
    func otherProcess() async throws {
      try await LeakTracker.check { tracker in
        let input = Pipe()
        let child = try StartedProcess(
          Self.executable, ["--child", folder.file.path, "--hold"], environment: Self.environment,
          input: input)
        #expect(await child.read { $0.availableData } == "open\n")
        let store = try folder.store(tracker, of: String.self)
        await #expect(throws: StorageError.inUse(file: "note.json")) { try await store.save("new") }
        kill(child.process.processIdentifier, SIGKILL)
        #expect(await child.status == SIGKILL)
        try await store.close()
        #expect(try StoredFile(folder.bytes()).payload == Array(#""new""#.utf8))
      }
    }

    @Test(
      "bad usage names the argument and exits with code 2",
      arguments: [["--moments", "-1"], ["--replay", "nothing"], ["--group", "0"], ["--unknown"]])
    func badUsage(arguments: [String]) async throws {
      let result = try await run(Self.executable, arguments)
      #expect(result.status == 2)
      #expect(result.output.contains(arguments[0]))
    }
  }
#endif
