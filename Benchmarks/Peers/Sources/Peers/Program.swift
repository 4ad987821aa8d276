import Foundation

/// From the command line to the table.
enum Program {
  static let helpText = HelpText(
    command: "swift run -c release --package-path Benchmarks/Peers Peers",
    purpose: """
      Measures the same work through this package, OpenCombine, swift-async-algorithms, the standard library and what
      one writes by hand. Where a peer promises something else (no replay, no conflation), its row says so.
      """)

  /// - Returns: the exit code.
  static func run(_ arguments: [String]) async -> Int32 {
    do {
      let options = try Options(arguments, ownFlags: [])
      switch options.action {
      case .help: print(helpText.usage)
      case .list: try list(options)
      case .measure, .serve:
        if Machine.isDebugBuild { say(Report.debugWarning + "\n") }
        let command = ([helpText.command] + arguments).joined(separator: " ")
        return try await Session(
          options, command: command, groups: PeerSuite.groups, targets: PeerTargets.all
        )
        .run()
      }
      return 0
    } catch let error as UsageError {
      say("error: \(error)\n\n\(helpText.usage)\n")
      return 2
    } catch {
      say("error: \(error)\n")
      return 1
    }
  }

  private static func list(_ options: Options) throws {
    let all = PeerSuite.groups
    let groups = try options.filter.map { try Filter($0).selection(of: all) } ?? all
    for group in groups {
      for benchmark in group.benchmarks { print(group.name(of: benchmark)) }
    }
  }

  private static func say(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
