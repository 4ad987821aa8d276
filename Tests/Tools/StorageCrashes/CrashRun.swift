#if os(macOS) || os(Linux)
  import Foundation

  /// Runs one child, kills it, and checks what it has left.
  struct CrashRun {
    let crash: Crash
    /// The folder in which the folder of the child is created.
    let parent: URL

    /// The result of one run.
    struct Outcome {
      /// What was wrong, or `nil`.
      let violation: String?
      /// Whether the child was killed before it had saved all values.
      let wasKilled: Bool
      /// Whether the child was killed while it had a temporary file.
      let leftTemporaryFile: Bool
      /// The folder, which is removed unless there is a violation.
      let folder: URL
    }

    func run() throws -> Outcome {
      let folder = try Folder(
        crash.beginning, at: parent.appending(path: "\(crash)".replacingOccurrences(of: ":", with: "-")))
      let (process, output) = (Process(), Pipe())
      process.executableURL = Bundle.main.executableURL
      process.arguments = Options.childArguments(crash.plan, file: folder.file.path)
      process.standardOutput = output
      try process.run()
      let reader = output.fileHandleForReading
      var lines = Data()
      if let delay = crash.plan.delay {
        lines.append(reader.availableData)
        usleep(delay)
        kill(process.processIdentifier, SIGKILL)
      }
      lines.append(reader.readDataToEndOfFile())
      process.waitUntilExit()
      let status = process.terminationStatus
      let leftTemporaryFile = folder.hasTemporaryFile
      let violation =
        if status != 0, status != SIGKILL { "the child ended with the status \(status)" } else {
          try Inspection.violation(in: folder, after: ChildReport(String(decoding: lines, as: UTF8.self)))
        }
      if violation == nil { folder.remove() }
      return Outcome(
        violation: violation, wasKilled: status == SIGKILL, leftTemporaryFile: leftTemporaryFile,
        folder: folder.url)
    }
  }
#endif
