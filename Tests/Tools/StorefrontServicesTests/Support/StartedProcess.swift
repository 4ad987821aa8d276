#if os(Linux)
  import Dispatch
  import Foundation

  /// A process that was started, with its output and the stream of its one exit status.
  ///
  /// No method blocks a thread of the concurrency pool.
  struct StartedProcess {
    let process = Process()
    private let exits: AsyncStream<Int32>
    private let output = Pipe()
    private let queue = DispatchQueue(label: "StartedProcess.output")

    init(
      _ executable: URL, _ arguments: [String],
      environment: [String: String] = ProcessInfo.processInfo.environment, input: Pipe? = nil
    ) throws {
      let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
      self.exits = exits
      process.environment = environment
      process.executableURL = executable
      process.arguments = arguments
      process.standardOutput = output
      process.standardError = output
      if let input { process.standardInput = input }
      process.terminationHandler = { process in
        exit.yield(process.terminationStatus)
        exit.finish()
      }
      try process.run()
    }

    /// Reads from the output, which can block, on a serial queue.
    func read(_ body: @escaping @Sendable (FileHandle) -> Data) async -> String {
      let data = await withCheckedContinuation { continuation in
        queue.async { [output] in continuation.resume(returning: body(output.fileHandleForReading)) }
      }
      return String(decoding: data, as: UTF8.self)
    }

    /// The exit status, when the process has ended. It is -1 if the task is cancelled first.
    var status: Int32 { get async { await exits.first { _ in true } ?? -1 } }
  }
#endif
