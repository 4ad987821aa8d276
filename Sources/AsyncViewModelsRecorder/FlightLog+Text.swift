extension FlightLog: CustomStringConvertible {
  /// All events as text.
  public var description: String { text() }

  /// The newest events as text, with a line for each event, and a line for each advance of the
  /// time by a millisecond or more.
  public func text(last count: Int = .max) -> String {
    let shown = entries.suffix(max(0, count))
    let numberWidth = shown.last.map { "\($0.number)".count } ?? 0
    let objectWidth = shown.map(\.object.count).max() ?? 0
    let threadWidth = shown.map { "\($0.thread)".count }.max() ?? 0
    var lines: [String] = []
    var time = 0
    for entry in shown {
      let milliseconds = Int(entry.time / .milliseconds(1))
      if milliseconds > time { lines.append("— time advances to \(Self.seconds(milliseconds)) —") }
      time = max(time, milliseconds)
      let number = "\(entry.number)"
      lines.append(
        "  " + String(repeating: " ", count: numberWidth - number.count) + number
          + "  thread \("\(entry.thread)".padded(to: threadWidth))  "
          + "\(entry.object.padded(to: objectWidth))  \(entry.text)")
    }
    return lines.joined(separator: "\n")
  }

  /// Such as `0.012 s`.
  private static func seconds(_ milliseconds: Int) -> String {
    "\(milliseconds / 1_000).\("\(1_000 + milliseconds % 1_000)".dropFirst()) s"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
