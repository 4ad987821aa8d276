#if os(Linux)
  import AsyncViewModelsCommandLine
  import AsyncViewModelsTesting
  import Foundation
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  @testable import AsyncViewModelsBenchmarkHarness
  @testable import Benchmarks

  /// Runs the program as a user does. On Linux, the program lies beside the executable of the tests.
  @Suite(.timeLimit(.minutes(5)))
  @ChildProcesses
  struct ExecutableTests {
    private nonisolated static let executable = URL(fileURLWithPath: "/proc/self/exe")
      .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "Benchmarks")

    private func run(
      _ arguments: [String], program: URL = executable, output: FileHandle = .nullDevice
    ) throws -> (status: Int32, errors: String) {
      let (process, errors) = (Process(), Pipe())
      process.executableURL = program
      process.arguments = arguments
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      let data = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    @Test(
      "on bad usage, the program names the wrong argument, prints the usage, and exits with code 2",
      arguments: [
        (["--bogus"], "--bogus"), (["--filter", "no*such"], "'no*such'"),
        (["--filter", "no such thing"], "no such thing"),
        (["--baseline", "/no/such/file.json"], "/no/such/file.json"),
        (["--html", "/no/such/folder/page.html"], "/no/such/folder/page.html"),
        (["--json", "/no/such/folder/out.json"], "/no/such/folder/out.json"),
        (["--pictures", "/no/such/folder"], "/no/such/folder/"),
        (["--json", "benchmarks.out", "--html", "./benchmarks.out"], "--json and --html"),
        (["--baseline", "/"], "cannot read '/': it is a folder"),
        (["--catalog", "/"], "/: cannot be read: it is a folder"),
        (["matrix", "--json", "matrix.out", "--update", "matrix.out"], "--json and --update"),
        (["serve", "--bogus"], "--bogus"), (["matrix", "--bogus"], "--bogus"),
        (["frames", "--bogus"], "--bogus"), (["frames", "--rate", "0"], "--rate"),
        (["frames", "--seconds", "0"], "--seconds"), (["frames", "--changes", "x"], "--changes"),
        (["frames", "--stage", "no such stage"], "no such stage"),
        (["demo", "--bogus"], "--bogus"), (["demo", "--script", "/no/such/script"], "/no/such/script"),
        (["matrix", "--update", "/no/such/page.md"], "/no/such/page.md"),
      ])
    func badUsage(arguments: [String], name: String) throws {
      let result = try run(arguments)
      #expect(result.status == 2)
      #expect(result.errors.hasPrefix("error: "))
      #expect(result.errors.contains(name))
      #expect(result.errors.contains("USAGE:"))
    }

    @Test(
      "if a baseline is not a file of results, the program names the file and the reason in one line",
      arguments: [
        ("{", "not valid JSON"), (#"{"schema": 2}"#, "its schema is 2"),
        (
          #"{"schema": 3, "date": "2025-06-15T15:06:40Z", "machine": {}}"#,
          "machine: it has no field 'system'"
        ),
      ])
    func badBaseline(text: String, reason: String) throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(text.utf8).write(to: file)
      let result = try run(["--baseline", file.path, "--filter", "send without"])
      #expect(result.status == 2)
      let line = result.errors.prefix { $0 != "\n" }
      #expect(line.contains(file.path) && line.contains(reason))
      #expect(!line.contains("DecodingError"))
    }

    @Test(
      "writing to a full or closed standard output is an error",
      arguments: [["--help"], ["--list"], ["matrix", "--help"], ["frames", "--help"], ["demo", "--help"]])
    func noOutput(arguments: [String]) throws {
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let atFull = try run(arguments, output: full)
      #expect(atFull.status == 1)
      #expect(atFull.errors == "error: cannot write to standard output: No space left on device\n")
      let atClosed = try run(
        ["-c", "exec \"$0\" \"$@\" >&-", Self.executable.path] + arguments,
        program: URL(fileURLWithPath: "/bin/sh"))
      #expect(atClosed.status == 1)
      #expect(atClosed.errors == "error: cannot write to standard output: it is closed\n")
    }

    @Test("a filter is not a regular expression: a pattern that would backtrack forever selects nothing")
    func hostileFilter() throws {
      #expect(try run(["--list", "--filter", "(.*)*(.*)*(.*)*(.*)*x{9}$"]).status == 2)
    }

    @Test("on a malformed catalog, the program names the file, record and field, and exits with code 2")
    func badCatalog() throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      let products = """
        [{"id": 1, "name": "Oak Lamp", "price": {"minorUnits": 1990, "currency": "EUR"}, "stock": 12},
         {"id": 2, "name": "Ash Lamp", "price": {"minorUnits": 1990, "currency": "EUR"}, "stock": -1}]
        """
      try Data(products.utf8).write(to: file)
      let result = try run(["--quick", "--catalog", file.path])
      #expect(result.status == 2)
      for name in [file.path, "index 1", "stock"] { #expect(result.errors.contains(name)) }
    }

    @Test(
      "help and list succeed, and write nothing to standard error",
      arguments: [["--help"], ["--list"], ["matrix", "--help"], ["frames", "--help"], ["demo", "--help"]])
    func information(arguments: [String]) throws {
      let result = try run(arguments)
      #expect(result.status == 0)
      #expect(result.errors.isEmpty)
    }

    @Test("the server in a child process serves its catalog until its parent stops it")
    nonisolated func server() async throws {
      let server = ServerProcess(executable: Self.executable)
      #expect(throws: ServerProcessError.notStarted) { try server.url }
      try server.start()
      let url = try server.url.appending(path: "products/1")
      let (_, response) = try await URLSession.shared.data(from: url)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      server.stop()
      await #expect(throws: URLError.self) { try await URLSession.shared.data(from: url) }
    }

    private func frames(_ arguments: [String]) throws -> [Substring] {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).md")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data().write(to: file)
      let result = try run(["frames"] + arguments, output: try FileHandle(forWritingTo: file))
      #expect(result.status == 0 && result.errors.isEmpty)
      return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    }

    @Test("the screen of each stage renders on the main thread, in a loop of frames")
    func frames() throws {
      var idle = Set(FrameStage.all.map(\.name))
      for _ in 1...Self.attempts where idle.count > 1 {
        let lines = try frames(["--seconds", "0.1", "--changes", "1000"])
        let rows = lines.filter { $0.contains("| 1,000 |") }
        #expect(rows.count == FrameStage.all.count, "\(lines)")
        for (stage, row) in zip(FrameStage.all, rows) {
          #expect(row.contains("| \(stage.name) |"))
          if !row.contains("| 0.00 | 0 |") { idle.remove(stage.name) }
        }
      }
      #expect(idle == [FrameStage.noObserver.name])
    }

    /// On a busy machine, a screen can get no time in a whole measurement.
    private static let attempts = 20

    @Test("a frame-paced screen renders at most once in each frame, and shows the taps of its user")
    func pacedFrames() throws {
      let stages: [FrameStage] = [.paced, .pacedObserved, .pacedOnMain]
      for stage in stages {
        var showsTaps = false
        for _ in 1...Self.attempts where !showsTaps {
          let lines = try frames(["--seconds", "0.3", "--changes", "10000", "--stage", stage.name, "--json"])
          #expect(lines.count == 1)
          let figures = try JSONDecoder().decode(FrameFigures.self, from: Data(lines[0].utf8))
          #expect(figures.mostRendersInAFrame <= 1, "\(stage.name)")
          showsTaps = !figures.latencies.isEmpty
        }
        #expect(showsTaps, "\(stage.name)")
      }
    }

    /// 12 ms are more than a frame, so each render makes a frame late. The queue of the closure stage's renders only grows.
    @Test(
      "renders that take longer than a frame are hitches, and the measurement ends",
      arguments: [FrameStage.closure, .paced])
    func longRenders(stage: FrameStage) throws {
      let lines = try frames([
        "--seconds", "0.3", "--changes", "1000", "--render-time", "12", "--stage", stage.name, "--json",
      ])
      let figures = try JSONDecoder().decode(FrameFigures.self, from: Data(lines[0].utf8))
      // In a long measurement, 3.7 ms of each frame; on a busy machine, the screen renders less often.
      #expect(figures.hitchTime > .milliseconds(10))
      #expect(figures.hitchTime <= .seconds(1))
    }

    @Test(
      "a child process without figures of frames is an error that says why",
      arguments: [
        ("echo hello", FramesProcessError.noFigures(output: "hello\n")), ("exit 3", .ended(status: 3)),
      ])
    func noFigures(command: String, error: FramesProcessError) throws {
      let script = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sh")
      defer { try? FileManager.default.removeItem(at: script) }
      try "#!/bin/sh\n\(command)\n".write(to: script, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
      #expect(throws: error) { try FramesProcess.figures(executable: script, arguments: []) }
    }

    /// Skips the largest groups, because they would make the test slow. Does not wait for the tests of other programs.
    @Test(
      "the benchmarks of each section can be set up, run and torn down", .serialized,
      arguments: Set(BenchmarkSuite.groups(server: ServerProcess()).map(\.section)).sorted())
    nonisolated func everyBenchmark(section: String) async throws {
      let server = ServerProcess(executable: Self.executable)
      try server.start()
      let once = Mode(
        name: "once", total: .zero, variantLimit: .zero, sample: .zero, rounds: 1, minimumRounds: 1)
      let groups = BenchmarkSuite.groups(server: server)
        .filter { $0.section == section }
        .filter { group in
          !["00 observers", "5,000 adds", "screens at once"].contains { group.title.contains($0) }
        }
      for result in await Runner(mode: once, stop: StopSignal(), onProgress: { _ in }).run(groups) {
        #expect(result.failures.isEmpty, "\(result.section) / \(result.title)")
        #expect(!result.measurements.isEmpty, "\(result.section) / \(result.title)")
      }
    }

    @Test("if the child does not print its address, starting the server throws", arguments: ["", "hello"])
    func otherProgram(line: String) throws {
      let script = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sh")
      defer { try? FileManager.default.removeItem(at: script) }
      // The script ends only when its input ends, as the server does.
      try "#!/bin/sh\necho '\(line)'\nexec cat > /dev/null\n".write(
        to: script, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
      let server = ServerProcess(executable: script)
      #expect(throws: ServerProcessError.noAddress(line: line)) { try server.start() }
      #expect(throws: ServerProcessError.notStarted) { try server.url }
    }

    @Test("starting a server without a readable catalog throws an error with the exit code of the child")
    func failingServer() {
      let server = ServerProcess(catalogPath: "/no/such/file.json", executable: Self.executable)
      #expect(throws: ServerProcessError.ended(status: 2)) { try server.start() }
    }
  }
#endif
