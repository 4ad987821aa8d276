package import AsyncViewModelsCommandLine

/// The part of a page that a program writes, between two markers.
package struct MarkedSection: Sendable {
  let name: String

  /// The decision matrix of the README.
  package static let matrix = MarkedSection(name: "matrix")

  /// The short table of the README.
  package static let performance = MarkedSection(name: "performance")

  package var begin: String { "<!-- \(name): begin -->" }
  package var end: String { "<!-- \(name): end -->" }

  /// The text between the markers of `page`; `nil` unless it has both, in order.
  package func contents(of page: String) -> String? {
    range(in: page).map { String(page[$0]).trimmingNewlines }
  }

  /// `page` with `contents` between the markers; `nil` unless it has both, in order.
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

/// A page with a ``MarkedSection``. The file is known to be writable.
package struct MarkedPage: Sendable {
  private let section: MarkedSection
  private let text: String
  private let file: OutputFile

  /// - Throws: ``UsageError`` if the file is not readable, not writable or has no markers.
  package init(_ path: String, section: MarkedSection) throws(UsageError) {
    self.section = section
    text = String(decoding: try InputFile.read(path), as: UTF8.self)
    guard section.contents(of: text) != nil else { throw .noMarkers(path: path, marker: section.begin) }
    file = try OutputFile(path: path)
  }

  /// Replaces the section's contents.
  ///
  /// - Throws: ``UsageError/unwritable(path:reason:)``.
  package func write(_ contents: String) throws(UsageError) {
    if let page = section.page(text, with: contents) { try file.write(page) }
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
