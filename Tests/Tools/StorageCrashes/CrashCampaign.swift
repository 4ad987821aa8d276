#if os(macOS) || os(Linux)
  import AsyncViewModelsCommandLine
  import Foundation

  /// Runs children that are killed at every moment of a few saves, and at random moments. Stops at the first violation.
  struct CrashCampaign {
    private let options: Options
    private let parent: URL
    private let progress = ProgressLine(interval: .milliseconds(100))
    private var runs = 0
    private var crashes = 0
    private var temporaryFiles = 0

    init(_ options: Options) {
      self.options = options
      parent = FileManager.default.temporaryDirectory.appending(path: "StorageCrashes-\(UUID().uuidString)")
    }

    /// - Returns: The exit code.
    mutating func run() throws -> Int32 {
      let start = ContinuousClock.now
      if let crash = options.replayed { _ = try outcome(of: crash) } else { try runAll() }
      progress.clear()
      guard !hasFailed else { return ExitCode.failure }
      try? FileManager.default.removeItem(at: parent)
      let seconds = start.duration(to: .now) / .seconds(1)
      try writeToStandardOutput(
        """
        crashes              \(crashes.grouped)
        temporary files left \(temporaryFiles.grouped), all removed by the next store
        violations           0
        time                 \(String(format: "%.1f", seconds)) s
        """)
      return ExitCode.success
    }

    private mutating func runAll() throws {
      for beginning in Folder.Beginning.allCases {
        var moment = 0
        // The child ends by itself if it has fewer moments.
        while let outcome = try outcome(of: .atMoment(moment, beginning)), outcome.wasKilled { moment += 1 }
        guard !hasFailed else { return }
        progress.clear()
        guard moment > 0 else {
          hasFailed = true
          return try writeToStandardOutput("✗ no child was killed: none has reached its first moment")
        }
        try writeToStandardOutput("✓ killed at each of \(moment) moments in a folder that was \(beginning)")
      }
      for index in 0..<options.moments {
        guard try outcome(of: .random(seed: options.seed, index: index)) != nil else { return }
      }
      progress.clear()
      try writeToStandardOutput(
        "✓ killed at \(options.moments.grouped) random moments, seed \(options.seed)")
    }

    private var hasFailed = false

    /// Returns the outcome of a crash, or `nil` if it was a violation, which this method prints.
    private mutating func outcome(of crash: Crash) throws -> CrashRun.Outcome? {
      progress.show("\(crash)", step: runs / 100, logText: "run \(runs.grouped): \(crash)")
      runs += 1
      let outcome = try CrashRun(crash: crash, parent: parent).run()
      crashes += outcome.wasKilled ? 1 : 0
      temporaryFiles += outcome.leftTemporaryFile ? 1 : 0
      guard let violation = outcome.violation else { return outcome }
      hasFailed = true
      progress.clear()
      try writeToStandardOutput(
        """
        ✗ \(crash): \(violation)
        files: \(outcome.folder.path)
        replay it: swift run -c release --package-path Tests/Tools StorageCrashes --replay \(crash)
        """)
      return nil
    }
  }
#endif
