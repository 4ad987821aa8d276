package import AsyncViewModelsCommandLine

/// The part of a page that a program writes, between two markers.
package struct MarkedSection: Hashable, Sendable {
  let name: String

  /// The decision matrix.
  package static let matrix = MarkedSection(name: "matrix")
  /// The findings and the code lines of the view models in Combine.
  package static let combine = MarkedSection(name: "combine")

  /// The results of all targets.
  package static let performance = MarkedSection(name: "performance")

  package var begin: String { "<!-- \(name): begin -->" }
  package var end: String { "<!-- \(name): end -->" }

  /// The text between the markers of `page`; `nil` unless the page has the begin marker, and the end marker after it.
  package func contents(of page: String) -> String? {
    range(in: page).map { String(page[$0]).trimmingNewlines }
  }

  /// `page` with `contents` between the markers; `nil` if ``contents(of:)`` is `nil`.
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

/// A page with a marked section. The initializer checks that the file is writable.
package struct MarkedPage: Sendable {
  private let section: MarkedSection
  private let text: String
  private let file: OutputFile

  /// - Throws: ``UsageError`` if the file is not readable, not writable or has no markers.
  package init(_ path: String, section: MarkedSection) throws(UsageError) {
    text = String(decoding: try InputFile.read(path), as: UTF8.self)
    self.section = section
    if section.contents(of: text) == nil { throw .noMarkers(path: path, marker: section.begin) }
    file = try OutputFile(path: path)
  }

  /// Replaces the contents of the section.
  ///
  /// - Throws: ``UsageError/unwritable(path:reason:)``.
  package func write(_ contents: String) throws(UsageError) {
    try file.write(section.page(text, with: contents) ?? text)
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
