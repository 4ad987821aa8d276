/// What a child has reported before it ended.
struct ChildReport: Equatable {
  /// The newest value that the child was about to save, or 0.
  private(set) var begun = 0
  /// The newest value that was on the disk according to the store, or 0.
  private(set) var saved = 0
  /// The errors of the store.
  private(set) var failures: [String] = []

  /// Reads the lines that ``Child`` describes. Ignores an incomplete line.
  init(_ output: String) {
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ")
      let number = words.count == 2 ? Int(words[1]) : nil
      switch words.first {
      case "begin": begun = max(begun, number ?? 0)
      case "saved": saved = max(saved, number ?? 0)
      case "failed": failures.append(String(line))
      default: break
      }
    }
  }
}
