import ArgumentParser
import Foundation

/// Checks the paths of a command, so that bad usage is found before it runs.
public func validate(paths: [String]) throws {
  guard !paths.isEmpty else { throw ValidationError("name at least one file or folder") }
  if let missing = paths.first(where: { !FileManager.default.fileExists(atPath: $0) }) {
    throw ValidationError("there is no file or folder '\(missing)'")
  }
}

extension ParsableCommand {
  /// Parses the arguments, runs the command, and exits. Bad usage exits with 2, as in all scripts of
  /// this repository.
  public static func runAndExit() -> Never {
    var isRunning = false
    do {
      var command = try parseAsRoot()
      isRunning = true
      try command.run()
      exit()
    } catch  where exitCode(for: error) == .validationFailure {
      // An error of a running subcommand would get the usage of the whole tool.
      let message = isRunning ? "Error: " + self.message(for: error) : fullMessage(for: error)
      FileHandle.standardError.write(Data((message + "\n").utf8))
      Foundation.exit(2)
    } catch {
      exit(withError: error)
    }
  }
}
