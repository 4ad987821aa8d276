import AsyncViewModelsUI

/// The number of columns and rows of a terminal, or of a part of it.
struct TerminalSize: Hashable {
  var columns: Int
  var rows: Int

  /// The smallest size that the demo can draw.
  static let smallest = TerminalSize(columns: 80, rows: 24)

  var isLargeEnough: Bool { columns >= Self.smallest.columns && rows >= Self.smallest.rows }
}

extension TerminalSize: CustomStringConvertible {
  var description: String { "\(columns)x\(rows)" }

  /// Reads a size such as `80x24`. Returns `nil` for other text, for no columns or rows, and for
  /// more than 1,000.
  init?(_ text: Substring) {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1],
      (1...1_000).contains(columns), (1...1_000).contains(rows)
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}

extension TerminalSize {
  /// Creates a size from that of a screen, whose unit is one character.
  init(_ size: ViewportSize) { self.init(columns: Int(size.width), rows: Int(size.height)) }
}

extension ViewportSize {
  init(_ size: TerminalSize) { self.init(width: Double(size.columns), height: Double(size.rows)) }
}
