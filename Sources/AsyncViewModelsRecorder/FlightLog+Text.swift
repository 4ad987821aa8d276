extension FlightLog: CustomStringConvertible {
  /// All events as text.
  public var description: String { text() }

  /// The newest events as text, with a line for each event, and a line for each advance of the
  /// time.
  public func text(last count: Int = .max) -> String {
    let shown = entries.suffix(max(0, count))
    let numberWidth = shown.last.map { "\($0.number)".count } ?? 0
    let objectWidth = shown.map(\.object.count).max() ?? 0
    let threadWidth = shown.map { "\($0.thread)".count }.max() ?? 0
    var lines: [String] = []
    var time = Duration.zero
    for entry in shown {
      if entry.time > time { lines.append("— time advances to \(Self.seconds(entry.time)) —") }
      time = max(time, entry.time)
      let number = "\(entry.number)"
      lines.append(
        "  " + String(repeating: " ", count: numberWidth - number.count) + number
          + "  thread \("\(entry.thread)".padded(to: threadWidth))  "
          + "\(entry.object.padded(to: objectWidth))  \(entry.text)")
    }
    return lines.joined(separator: "\n")
  }

  /// Such as `0.012 s`.
  private static func seconds(_ time: Duration) -> String {
    let (seconds, rest) = time.components
    let milliseconds = "\(1_000 + rest / 1_000_000_000_000_000)".dropFirst()
    return "\(seconds).\(milliseconds) s"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
