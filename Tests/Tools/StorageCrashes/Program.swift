import AsyncViewModelsCommandLine
import Foundation

/// Kills processes that save values, as the command line asks.
@main
enum Program {
  static func main() {
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// - Returns: The exit code.
  private static func run(_ arguments: [String]) -> Int32 {
    do {
      try requireStandardOutput()
      let options = try Options(arguments)
      switch options.action {
      case .help: try writeToStandardOutput(Options.usage)
      case .child(let child): try child.run()
      case .hold(let child): try child.hold()
      case .crash: return try crash(options)
      }
      return ExitCode.success
    } catch {
      return ExitCode.explaining(error, usage: Options.usage)
    }
  }

  private static func crash(_ options: Options) throws -> Int32 {
    #if os(macOS) || os(Linux)
      var campaign = CrashCampaign(options)
      return try campaign.run()
    #else
      throw UnsupportedPlatform()
    #endif
  }
}

#if !(os(macOS) || os(Linux))
  /// An error for a platform on which a program cannot start other programs.
  private struct UnsupportedPlatform: Error, CustomStringConvertible {
    let description = "this platform cannot start processes"
  }
#endif
