import ArgumentParser
import Foundation

extension ParsableCommand {
  /// Parses the arguments, runs the command, and exits. Bad usage exits with 2, as in all scripts of
  /// this repository.
  public static func runAndExit() -> Never {
    do {
      var command = try parseAsRoot()
      try command.run()
      exit()
    } catch  where exitCode(for: error) == .validationFailure {
      FileHandle.standardError.write(Data((fullMessage(for: error) + "\n").utf8))
      Foundation.exit(2)
    } catch {
      exit(withError: error)
    }
  }
}
