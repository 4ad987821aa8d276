import AsyncViewModelsCommandLine
import Foundation
import StorefrontLoopbackServer

/// The hidden `serve` command: the child process that serves a catalog over HTTP until its parent ends.
enum ServerProgram {
  static let command = "serve"
  static let catalogFlag = "--catalog"

  /// - Parameter arguments: The arguments without the command.
  /// - Returns: The exit code.
  static func run(_ arguments: [String]) -> Int32 {
    do {
      var reader = ArgumentReader(arguments)
      var path: String?
      while let flag = try reader.nextFlag() {
        guard flag == catalogFlag else { throw UsageError.unknownFlag(flag) }
        path = try reader.value()
      }
      try serve(try catalog(at: path))
      return ExitCode.success
    } catch {
      return ExitCode.explaining(error, usage: "USAGE: Benchmarks \(command) [\(catalogFlag) FILE]")
    }
  }

  /// The catalog in the file at `path`, or the seeded catalog if `path` is `nil`.
  ///
  /// - Throws: ``AsyncViewModelsCommandLine/UsageError/invalidFile(reason:)``.
  static func catalog(at path: String?) throws(UsageError) -> Catalog {
    guard let path else { return .seeded() }
    do { return try Catalog.load(contentsOf: path) } catch { throw .invalidFile(reason: "\(error)") }
  }

  /// Prints the address as the first line of standard output, then serves until standard input ends. Blocks.
  private static func serve(_ catalog: Catalog) throws {
    // Ctrl-C reaches the child, too, but the parent decides when the child ends.
    signal(SIGINT, SIG_IGN)
    let server = LoopbackHTTPServer(catalog: catalog)
    let url = try server.start()
    FileHandle.standardOutput.write(Data("\(url.absoluteString)\n".utf8))
    while !FileHandle.standardInput.availableData.isEmpty {}
    server.stop()
  }
}
