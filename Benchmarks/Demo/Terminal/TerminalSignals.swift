import Dispatch
import Foundation
import Synchronization

/// Reports on the main queue that the terminal was resized, or that the process continues after a
/// stop.
///
/// A handler writes one byte to a pipe, and a dispatch source reads it. Call ``stop()`` to end the
/// reports.
@MainActor
final class TerminalSignals {
  private nonisolated static let wakeDescriptor = Atomic<Int32>(-1)
  private static let signals = [SIGWINCH, SIGCONT]

  private let source: any DispatchSourceRead

  /// - Parameters:
  ///   - onResize: Called after the terminal has changed its size.
  ///   - onContinue: Called after the process has continued.
  init(onResize: @escaping @MainActor () -> Void, onContinue: @escaping @MainActor () -> Void) {
    var ends: [Int32] = [-1, -1]
    unsafe pipe(&ends)
    let (input, output) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    Self.wakeDescriptor.store(output, ordering: .releasing)
    source = DispatchSource.makeReadSource(fileDescriptor: input, queue: .main)
    source.setEventHandler {
      var signals = [UInt8](repeating: 0, count: 64)
      let count = unsafe read(input, &signals, signals.count)
      MainActor.assumeIsolated {
        guard count > 0 else { return }
        if signals.prefix(count).contains(UInt8(SIGCONT)) { onContinue() }
        if signals.prefix(count).contains(UInt8(SIGWINCH)) { onResize() }
      }
    }
    source.setCancelHandler {
      close(input)
      close(output)
    }
    source.resume()
    var action = sigaction { TerminalSignals.wake($0) }
    for signal in Self.signals { unsafe sigaction(signal, &action, nil) }
  }

  /// Ends the reports.
  func stop() {
    for number in Self.signals { _ = signal(number, SIG_DFL) }
    Self.wakeDescriptor.store(-1, ordering: .releasing)
    source.cancel()
  }

  /// Reports a signal. Runs in signal handlers.
  nonisolated static func wake(_ signal: Int32) {
    let error = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = unsafe write(wakeDescriptor.load(ordering: .acquiring), &byte, 1)
    errno = error
  }
}
