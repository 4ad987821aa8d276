import AsyncViewModelsCommandLine
import Foundation

/// A command-line program that lists, measures and reports benchmarks.
///
/// ```swift
/// let program = BenchmarkProgram(command: "swift run -c release Peers", purpose: "…", groups: groups, targets: targets)
/// exit(await program.run(Array(CommandLine.arguments.dropFirst())))
/// ```
public struct BenchmarkProgram: Sendable {
  private let help: HelpText
  private let suite: @Sendable (_ ownValues: [String: String]) throws -> BenchmarkSuite

  /// - Parameters:
  ///   - command: What a user types to run the program, without options.
  ///   - purpose: What the program measures, for `--help`.
  ///   - targets: What the package promises. `groups` has to contain every benchmark that a target needs.
  public init(command: String, purpose: String, groups: [BenchmarkGroup], targets: [Target]) {
    self.init(HelpText(command: command, purpose: purpose)) { _ in
      BenchmarkSuite(groups: groups, targets: targets)
    }
  }

  /// - Parameter suite: Creates the groups and targets. Its argument contains the values of the program's own options, keyed by
  ///   flag.
  package init(
    _ help: HelpText, suite: @escaping @Sendable (_ ownValues: [String: String]) throws -> BenchmarkSuite
  ) {
    self.help = help
    self.suite = suite
  }

  /// Does what the command line asks for.
  ///
  /// - Parameter arguments: The arguments without the program's name.
  /// - Returns: The exit code.
  public func run(_ arguments: [String]) async -> Int32 {
    do {
      try requireStandardOutput()
      let options = try Options(arguments, ownFlags: help.ownFlags)
      if options.action == .help {
        try writeToStandardOutput(help.usage)
        return ExitCode.success
      }
      let suite = try suite(options.ownValues)
      if options.action == .list {
        let names = try suite.groups.selected(by: options.filters).flatMap(\.names)
        try writeToStandardOutput(names.joined(separator: "\n"))
        return ExitCode.success
      }
      let command = ([help.command] + options.measuringArguments).joined(separator: " ")
      let session = try Session(options, command: command, suite: suite)
      if BuildConfiguration.isDebug { writeToStandardError(Report.debugWarning + "\n") }
      if session.usesServer { try suite.startServer() }
      defer { suite.stopServer() }
      return try await session.run()
    } catch {
      return ExitCode.explaining(error, usage: help.usage)
    }
  }
}

/// What a program can measure, and what the package promises about it.
package struct BenchmarkSuite: Sendable {
  package let groups: [BenchmarkGroup]
  package let targets: [Target]
  /// Runs before the first measurement if a selected group uses the server.
  let startServer: @Sendable () throws -> Void
  let stopServer: @Sendable () -> Void

  package init(
    groups: [BenchmarkGroup], targets: [Target], startServer: @escaping @Sendable () throws -> Void = {},
    stopServer: @escaping @Sendable () -> Void = {}
  ) {
    self.groups = groups
    self.targets = targets
    self.startServer = startServer
    self.stopServer = stopServer
  }
}
