#if os(Linux)
  import AsyncViewModelsTesting
  import Foundation
  import StorefrontDomain
  import StorefrontServices
  import Testing

  /// Runs the program as a user does. On Linux, the program lies beside the executable of the tests.
  @Suite("Storage crashes", .timeLimit(.minutes(5)))
  struct StorageCrashesTests {
    private static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "StorageCrashes")
    /// Without the files of the tools: a process that is killed, or whose files are limited, leaves a damaged profile of
    /// the test coverage, and ends at its start if the thread sanitizer cannot write a file that it then reads. Without a
    /// folder, the sanitizer does without that file.
    private static let environment = ProcessInfo.processInfo.environment.merging(
      ["LLVM_PROFILE_FILE": "/dev/null", "TEST_TMPDIR": "/dev/null"]) { $1 }
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a command, and waits for its end on its own queue.
    private func run(_ executable: URL, _ arguments: [String]) async throws -> (status: Int32, output: String)
    {
      let (process, output) = (Process(), Pipe())
      process.environment = Self.environment
      process.executableURL = executable
      process.arguments = arguments
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let data = await withCheckedContinuation { continuation in
        DispatchQueue(label: "StorageCrashesTests").async {
          continuation.resume(returning: output.fileHandleForReading.readDataToEndOfFile())
        }
      }
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    @Test("a process that is killed at any moment leaves the old or the new value")
    func crashes() async throws {
      let result = try await run(Self.executable, ["--moments", "30"])
      #expect(result.status == 0, "\(result.output)")
      #expect(result.output.contains("✓ killed at 30 random moments"))
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
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.environment = Self.environment
        process.executableURL = Self.executable
        process.arguments = ["--child", folder.file.path, "--hold"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        let store = try folder.store(tracker, of: String.self)
        await #expect(throws: StorageError.inUse(file: "note.json")) { try await store.save("new") }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
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
