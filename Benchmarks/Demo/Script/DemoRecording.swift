/// The frames of a script, and how long a recording shows each of them.
///
/// The times come from the script and not from a clock, so a slow machine does not make a slow
/// recording.
struct DemoRecording {
  struct Frame {
    var grid: ScreenGrid
    var time: Duration
  }

  private(set) var frames: [Frame] = []
  /// The first frame that the script holds. It stands for the recording where nothing moves.
  private(set) var posterIndex = 0
  private var hasPoster = false

  /// How long a frame is shown that the script does not hold.
  private static let shortTime = Duration.milliseconds(120)

  /// Adds a frame. A frame that only counts up in the panel replaces the last one.
  mutating func append(_ grid: ScreenGrid) {
    if let last = frames.last, last.grid.showsSameContent(as: grid) {
      frames[frames.count - 1].grid = grid
    } else {
      frames.append(Frame(grid: grid, time: Self.shortTime))
    }
  }

  /// Shows the last frame for some time.
  mutating func hold(_ time: Duration) {
    guard let last = frames.indices.last else { return }
    frames[last].time = max(time, Self.shortTime)
    if !hasPoster { (posterIndex, hasPoster) = (last, true) }
  }
}

extension ScreenGrid {
  /// Whether two frames differ only in the panel.
  fileprivate func showsSameContent(as other: ScreenGrid) -> Bool {
    guard size == other.size else { return false }
    let content = size.columns - SidePanel.width(of: size.columns) - 2
    return (0..<size.rows).allSatisfy { row(row: $0, content) == other.row(row: $0, content) }
  }

  private func row(row: Int, _ columns: Int) -> [ScreenCell] {
    // The header and the footer have no panel.
    let isWide = row < 3 || row >= size.rows - 3
    return Array(self.row(row).prefix(isWide ? size.columns : columns))
  }
}
