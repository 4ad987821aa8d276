import Foundation
import Synchronization

/// Runs the HTTP server of the measured clients in a child process, so that the server's CPU time, threads
/// and memory do not count as the clients'. The child runs this executable.
///
/// The child serves until its standard input ends. The input also ends if this process dies, so the child never outlives
/// its parent.
final class ServerProcess: Sendable {
  private struct Running {
    let url: URL
    /// Closes the child's standard input and waits until the child ends.
    let end: @Sendable () -> Void
  }

  let executable: URL?
  private let catalogPath: String?
  private let running = Mutex<Running?>(nil)

  /// - Parameters:
  ///   - catalogPath: The file to serve; `nil` for the seeded catalog.
  ///   - executable: The program to run as the server. The default is this program.
  init(catalogPath: String? = nil, executable: URL? = ServerProcess.thisExecutable) {
    self.catalogPath = catalogPath
    self.executable = executable
  }

  deinit { stop() }

  /// The address of the running server.
  ///
  /// - Throws: ``ServerProcessError/notStarted``.
  var url: URL {
    get throws(ServerProcessError) {
      guard let url = running.withLock({ $0?.url }) else { throw .notStarted }
      return url
    }
  }

  private static var thisExecutable: URL? {
    #if os(Linux)
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      Bundle.main.executableURL
    #endif
  }

  /// Ends the child if it runs, and waits until it has ended.
  func stop() {
    running.withLock { $0.take() }?.end()
  }

  #if os(Linux) || os(macOS)
    /// Starts the child, and blocks until it serves.
    ///
    /// - Throws: ``ServerProcessError``.
    func start() throws(ServerProcessError) {
      let (process, input, output) = (Process(), Pipe(), Pipe())
      process.executableURL = executable
      process.arguments =
        [ServerProgram.command] + (catalogPath.map { [ServerProgram.catalogFlag, $0] } ?? [])
      process.standardInput = input
      process.standardOutput = output
      do { try process.run() } catch { throw .notLaunched(reason: error.localizedDescription) }
      let end = { @Sendable in
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
      }
      let line = Self.firstLine(of: output.fileHandleForReading)
      guard let line else {
        end()
        throw .ended(status: process.terminationStatus)
      }
      guard let url = URL(string: line), url.scheme == "http", url.port != nil else {
        // The child is not the server, so it may ignore the end of its input.
        process.terminate()
        end()
        throw .noAddress(line: line)
      }
      let started = Running(url: url, end: end)
      running.withLock { $0 = started }
    }

    /// The first line of `file`, or `nil` if the file ends before the end of this line.
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
      throw .notLaunched(reason: "this platform cannot start processes")
    }
  #endif
}

/// Why the HTTP server does not run.
enum ServerProcessError: Error, Equatable {
  case notStarted
  case notLaunched(reason: String)
  /// The child ended before it served. It has explained why on standard error.
  case ended(status: Int32)
  /// The first line that the child printed is not the address of a server.
  case noAddress(line: String)
}

extension ServerProcessError: CustomStringConvertible {
  var description: String {
    switch self {
    case .notStarted: "the HTTP server was not started"
    case .notLaunched(let reason): "the HTTP server cannot be started: \(reason)"
    case .ended(let status): "the HTTP server ended before it served, with exit code \(status)"
    case .noAddress(let line): "the HTTP server printed '\(line)' instead of its address"
    }
  }
}
