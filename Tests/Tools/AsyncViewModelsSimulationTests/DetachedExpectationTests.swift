#if os(Linux)
  import AsyncViewModelsSimulation
  import AsyncViewModelsTesting
  import Foundation
  import Testing

  /// Tests that fail on purpose, in a child process that ``DetachedExpectationTests`` starts.
  ///
  /// Swift Testing records an expectation that fails in a detached task, or on another thread, for an unknown
  /// test. Such an issue would fail the whole test run of this process.
  @Suite(
    "Simulation: failing expectations", .timeLimit(.minutes(5)), .enabled(if: ChildProcess.isCurrent))
  struct FailingExpectationTests {
    @Test("fails on purpose: an expectation in a detached task of a simulation")
    func detached() async throws {
      try await simulate(seeds: 1...100) { world in
        let value = world.choose(8)
        for _ in 1...4 { _ = world.choose(8) }
        await Task.detached { #expect(value == 0) }.value
      }
    }

    @Test("fails on purpose: an expectation on a thread outside a simulation")
    func thread() async throws {
      try await simulate(replaying: #require(SimulationPath("path:"))) { world in
        let hasEnded = DispatchSemaphore(value: 0)
        Thread {
          #expect(1 == 2)
          hasEnded.signal()
        }.start()
        hasEnded.wait()
      }
    }
  }

  @Suite("Simulation: expectations in detached tasks", .timeLimit(.minutes(5)))
  @ChildProcesses
  struct DetachedExpectationTests {
    @Test("a failed expectation in a detached task fails the run, with a seed, a path, and a note")
    func detached() throws {
      let output = try ChildProcess.output(ofTest: "FailingExpectationTests/detached")
      #expect(output.contains("seed 1 (mixed): Expectation failed: (value → "), "\(output)")
      let text = output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains("in a detached task, where Swift Testing knows no test (AsyncViewModelsSim"))
      #expect(text.contains("replay: SIMULATION_REPLAY='path:"))
      // The simulation does not reduce this run, because the reduction would repeat the issue.
      #expect(output.split(separator: "\n").count { $0.contains("«unknown»") } <= 2, "\(output)")
    }

    @Test("a failed expectation on another thread is recorded once, for an unknown test")
    func thread() throws {
      let output = try ChildProcess.output(ofTest: "FailingExpectationTests/thread")
      let lines = output.split(separator: "\n")
      #expect(lines.count { $0.contains("Expectation failed: 1 == 2") } == 1, "\(output)")
    }
  }

  /// Runs this executable again in a child process.
  private enum ChildProcess {
    private static let variable = "SIMULATION_FAILING_EXPECTATIONS"

    static let isCurrent = ProcessInfo.processInfo.environment[variable] != nil

    static func output(ofTest name: String) throws -> String {
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["--testing-library", "swift-testing", "--filter", name]
      process.environment = ProcessInfo.processInfo.environment.merging([variable: "1"]) { $1 }
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      #expect(process.terminationStatus == 1)
      return String(decoding: data, as: UTF8.self)
    }
  }
#endif
