import AsyncViewModelsBenchmarkHarness
import Foundation
import Synchronization

/// The parent's side of the HTTP origin: a child process of this very executable, so that what the server takes in CPU
/// time, threads and memory is not taken for the client's.
///
/// The child serves until its standard input ends, which it also does when this process dies: it never outlives it.
final class ServerProcess: Sendable {
  private struct Running {
    let url: URL
    /// Closes the child's standard input and waits for its end.
    let end: @Sendable () -> Void
  }

  private let executable: URL?
  private let catalog: String?
  private let running = Mutex<Running?>(nil)

  /// - Parameters:
  ///   - catalog: the file to serve; `nil` for the seeded catalogue.
  ///   - executable: this program.
  init(catalog: String?, executable: URL? = ServerProcess.thisExecutable) {
    self.catalog = catalog
    self.executable = executable
  }

  deinit { stop() }

  /// Where it serves.
  /// - Throws: ``ServerProcessError`` where it was not started.
  var url: URL {
    get throws(ServerProcessError) {
      guard let url = running.withLock({ $0?.url }) else { throw .notStarted }
      return url
    }
  }

  static var thisExecutable: URL? {
    #if os(Linux)
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      Bundle.main.executableURL
    #endif
  }

  /// Ends the child, if there is one, and waits for its end.
  func stop() {
    running.withLock { $0.take() }?.end()
  }

  #if os(Linux) || os(macOS)
    /// Starts the child, and returns when it serves. Blocks until then.
    /// - Throws: ``ServerProcessError``.
    func start() throws(ServerProcessError) {
      let (process, input, output) = (Process(), Pipe(), Pipe())
      process.executableURL = executable
      process.arguments = [Options.serveCommand] + (catalog.map { ["--catalog", $0] } ?? [])
      process.standardInput = input
      process.standardOutput = output
      do { try process.run() } catch { throw .notLaunched(reason: error.localizedDescription) }
      guard let url = Self.firstLine(of: output.fileHandleForReading).flatMap({ URL(string: $0) }) else {
        process.waitUntilExit()
        throw .ended(status: process.terminationStatus)
      }
      let started = Running(url: url) {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
      }
      running.withLock { $0 = started }
    }

    /// `nil` where the file ends before its first line does.
    private static func firstLine(of file: FileHandle) -> String? {
      var bytes = Data()
      while case let more = file.availableData, !more.isEmpty {
        bytes += more
        if let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
          return String(decoding: bytes[..<newline], as: UTF8.self)
        }
      }
      return nil
    }
  #else
    func start() throws(ServerProcessError) {
      throw .notLaunched(reason: "this platform lets no process start another")
    }
  #endif
}
