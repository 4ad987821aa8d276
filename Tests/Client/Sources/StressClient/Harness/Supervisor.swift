import Foundation

/// Runs programs in child processes, one after the other, and reports how each one ended.
struct Supervisor {
  let options: Options

  /// - Returns: The number of failures. Each program can fail once for each number of tasks per core.
  func run() async -> Int {
    var (failed, total) = (0, 0)
    for program in StressProgram.all where options.names.isEmpty || options.names.contains(program.name) {
      for tasksPerCore in options.tasksPerCore {
        var problem: String?
        var runs = 0
        let start = ContinuousClock.now
        while problem == nil, runs < options.repetitions {
          problem = await runChild(program, tasksPerCore)
          runs += 1
        }
        total += 1
        let runsText = options.repetitions > 1 ? ", \(runs) of \(options.repetitions) runs" : ""
        let secondsText =
          "\((ContinuousClock.now - start).formatted(.units(allowed: [.seconds, .milliseconds])))"
        let result = problem == nil ? "ok  " : "FAIL"
        report("\(result) \(program.name), \(tasksPerCore) tasks per core\(runsText), \(secondsText)")
        if let problem {
          failed += 1
          report(problem)
        }
      }
    }
    report("\(total - failed) passed, \(failed) failed")
    return failed
  }

  /// Writes a line without the buffering of `print`, which delays lines if the output is not a terminal.
  private func report(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

  /// - Returns: A description of the failure, or nil if the program passed.
  private func runChild(_ program: StressProgram, _ tasksPerCore: Int) async -> String? {
    let child = Process()
    child.executableURL = URL(filePath: CommandLine.arguments[0])
    child.arguments = ["--in-process", "--only", program.name, "--tasks-per-core", "\(tasksPerCore)"]
    // Disables backtraces: a backtracer would outlive a killed child and keep the pipe open. To see a
    // backtrace, run the program with `--in-process`.
    child.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let errors = Pipe()
    child.standardError = errors
    let ended = AsyncStream<Void> { continuation in
      child.terminationHandler = { _ in continuation.finish() }
    }
    do { try child.run() } catch { return "cannot start: \(error)" }
    async let output = Task.detached { errors.fileHandleForReading.readDataToEndOfFile() }.value
    let watchdog = Task { () throws -> Bool in
      try await Task.sleep(for: options.timeLimit)
      kill(child.processIdentifier, SIGKILL)
      return true
    }
    for await _ in ended {}
    watchdog.cancel()
    let hangs = (try? await watchdog.value) == true
    let text = String(decoding: await output, as: UTF8.self).split(separator: "\n").prefix(40).joined(
      separator: "\n")
    switch (child.terminationReason, child.terminationStatus) {
    case (.exit, 0): return nil
    case (.exit, let code): return "exit code \(code)\n\(text)"
    case (.uncaughtSignal, _) where hangs: return "hung: killed after \(options.timeLimit)\n\(text)"
    case (_, let signal): return "killed by signal \(signal)\n\(text)"
    }
  }
}
