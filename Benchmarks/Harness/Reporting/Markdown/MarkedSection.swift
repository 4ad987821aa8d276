/// A part of a page that a program writes: what stands between two markers.
struct MarkedSection: Sendable {
  let name: String

  /// What each stage can do.
  static let matrix = MarkedSection(name: "matrix")

  /// The short table of a README.
  static let performance = MarkedSection(name: "performance")

  var begin: String { "<!-- \(name): begin -->" }
  var end: String { "<!-- \(name): end -->" }

  /// What stands between the markers of `page`; `nil` where it does not have both, in order.
  func contents(of page: String) -> String? {
    range(in: page).map { String(page[$0]).trimmingNewlines }
  }

  /// `page` with `contents` between the markers; `nil` where it does not have both, in order.
  func page(_ page: String, with contents: String) -> String? {
    range(in: page).map { page.replacingCharacters(in: $0, with: "\n\(contents)\n") }
  }

  private func range(in page: String) -> Range<String.Index>? {
    guard let begin = page.firstRange(of: begin), let end = page.firstRange(of: end),
      begin.upperBound <= end.lowerBound
    else { return nil }
    return begin.upperBound..<end.lowerBound
  }
}

extension String {
  fileprivate var trimmingNewlines: String {
    var text = self[...]
    while text.first?.isNewline == true { text.removeFirst() }
    while text.last?.isNewline == true { text.removeLast() }
    return String(text)
  }

  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
