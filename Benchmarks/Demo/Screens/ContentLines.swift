import AsyncViewModels
import StorefrontDomain

/// The lines that several screens have in common.
enum ContentLines {
  /// What a screen shows in place of content that is not there.
  static func notice<Value>(_ content: ViewState<Value>, empty: String, columns: Int) -> [TextLine] {
    switch content {
    case .idle, .loaded: []
    case .loading: [TextLine("◌ Loading…", .accent)]
    case .empty: [TextLine(empty, .dim)]
    case .failed(let error): failure(error, columns: columns) + [TextLine("  ^R tries again", .accent)]
    }
  }

  /// An error in words, with a mark that is visible without color.
  static func failure(_ error: any Error, columns: Int) -> [TextLine] {
    let lines = TextLine.wrapped("\(error)", width: columns - 2, .bad)
    return lines.enumerated().map { index, line in
      var failure = TextLine(index == 0 ? "✗ " : "  ", .bad)
      failure.append(line)
      return failure
    }
  }

  /// The status over a list: what is loading or has failed while the old content stays.
  static func status(
    _ text: String, isLoading: Bool = false, failure: (any Error)? = nil, columns: Int
  ) -> TextLine {
    var line = TextLine(text, .dim)
    if isLoading { line.append("  ◌ loading…", .accent) }
    if let failure { line.append("  ✗ \(failure)", .bad) }
    return line.limited(to: columns)
  }

  static func rule(_ columns: Int) -> TextLine {
    TextLine(String(repeating: "─", count: max(0, columns)), .dim)
  }
}

extension Availability {
  var label: String {
    switch self {
    case .inStock: "✓ in stock"
    case .fewLeft: "! few left"
    case .soldOut: "✗ sold out"
    }
  }

  var style: TextStyle {
    switch self {
    case .inStock: .good
    case .fewLeft: .warning
    case .soldOut: .bad
    }
  }
}
