import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Shows on standard error where a run stands: one line, redrawn, on a terminal; elsewhere a line for each group.
final class ProgressLine: Sendable {
  private let isTerminal: Bool
  private let write: @Sendable (String) -> Void
  private let drawn = Mutex(Drawn())

  private struct Drawn {
    var text = ""
    var group: Int?
  }

  init(
    isTerminal: Bool = isatty(STDERR_FILENO) == 1,
    write: @escaping @Sendable (String) -> Void = { FileHandle.standardError.write(Data($0.utf8)) }
  ) {
    self.isTerminal = isTerminal
    self.write = write
  }

  func show(_ progress: RunProgress) {
    let text = drawn.withLock { drawn -> String? in
      let line = isTerminal ? Self.line(progress) : Self.plainLine(progress)
      guard isTerminal ? line != drawn.text : progress.finished != drawn.group else { return nil }
      drawn = Drawn(text: line, group: progress.finished)
      return line
    }
    // Carriage return and "erase to the end of the line".
    if let text { write(isTerminal ? "\r\(text)\u{1B}[K" : text + "\n") }
  }

  /// Takes the redrawn line away, so that what follows stands alone.
  func clear() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  private static let width = 78

  /// Fits into a line of 80 characters: a longer one would wrap, and could not be redrawn.
  static func line(_ progress: RunProgress) -> String {
    let end = "  \(Quantity.wait(progress.remaining)) left"
    let start = "\(Quantity.percentage(progress.fraction))  "
    let room = width - start.count - end.count
    let work =
      progress.work.count <= room ? progress.work : progress.work.prefix(max(0, room - 1)) + "…"
    return start + work + end
  }

  static func plainLine(_ progress: RunProgress) -> String {
    "[\(progress.finished + 1)/\(progress.total)] \(progress.work), \(Quantity.wait(progress.remaining)) left"
  }
}
