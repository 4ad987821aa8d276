import Foundation
import Synchronization

/// Shows the progress of a run: one line that is redrawn on a terminal, or one line for each step in a log.
package final class ProgressLine: Sendable {
  private let isTerminal: Bool
  private let interval: Duration
  private let write: @Sendable (String) -> Void
  private let shown = Mutex(Shown())

  private struct Shown {
    var text = ""
    var step: Int?
    var time: ContinuousClock.Instant?
  }

  /// Writes to standard error.
  ///
  /// - Parameter interval: The shortest time between two redraws.
  package convenience init(interval: Duration = .zero) {
    self.init(isTerminal: isatty(STDERR_FILENO) == 1, interval: interval, write: writeToStandardError)
  }

  package init(isTerminal: Bool, interval: Duration = .zero, write: @escaping @Sendable (String) -> Void) {
    self.isTerminal = isTerminal
    self.interval = interval
    self.write = write
  }

  /// - Parameters:
  ///   - text: What a terminal shows. It has to fit into one line: a longer text would wrap, and could not be redrawn.
  ///   - logText: What a log gets, once for each step; `nil` for nothing.
  package func show(
    _ text: @autoclosure () -> String, step: Int, logText: @autoclosure () -> String? = nil
  ) {
    let output = shown.withLock { shown in
      isTerminal ? Self.redraw(text, &shown, interval) : Self.log(logText, &shown, step: step)
    }
    if let output { write(output) }
  }

  /// Removes the redrawn line, so that other output can take its place.
  package func clear() {
    guard isTerminal else { return }
    shown.withLock { $0.text = "" }
    write("\r\(Self.eraseLine)")
  }

  private static let eraseLine = "\u{1B}[K"

  private static func redraw(_ text: () -> String, _ shown: inout Shown, _ interval: Duration) -> String? {
    let now = ContinuousClock.now
    if let time = shown.time, time.duration(to: now) < interval { return nil }
    let text = text()
    guard text != shown.text else { return nil }
    shown.text = text
    shown.time = now
    return "\r\(text)\(eraseLine)"
  }

  private static func log(_ text: () -> String?, _ shown: inout Shown, step: Int) -> String? {
    guard step != shown.step, let text = text() else { return nil }
    shown.step = step
    return text + "\n"
  }
}
