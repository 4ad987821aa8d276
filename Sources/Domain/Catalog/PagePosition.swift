/// Where a page of a long list begins: at a number, or at an opaque cursor of the service.
///
/// Request the first page at ``start``, and each further page at ``Page/next`` of the page before.
public enum PagePosition: Hashable, Sendable {
  /// The number of the page, counted from 0.
  case index(Int)
  /// The cursor that the service has sent with the page before.
  case cursor(PageCursor)

  /// The position of the first page: page 0, or no cursor.
  public static let start = PagePosition.index(0)

  /// The number of the page. `nil` for a cursor.
  public var index: Int? { if case .index(let index) = self { index } else { nil } }

  /// The cursor. `nil` for a number.
  public var cursor: PageCursor? { if case .cursor(let cursor) = self { cursor } else { nil } }
}

extension PagePosition: CustomStringConvertible {
  /// The number, or the shortened text of the cursor.
  public var description: String {
    switch self {
    case .index(let index): "\(index)"
    case .cursor(let cursor): "\(cursor)"
    }
  }
}

/// The opaque text with which a service continues a long list. The client sends it back unchanged.
///
/// A cursor can be long and secret. So its descriptions contain at most 16 Unicode scalars. Only
/// ``rawValue`` is the whole text.
public struct PageCursor: RawRepresentable, Hashable, Sendable {
  /// The whole text.
  public let rawValue: String

  /// Creates a cursor.
  ///
  /// - Precondition: `rawValue` is not empty. Decoding an empty cursor throws an error.
  public init(rawValue: String) {
    precondition(!rawValue.isEmpty, "PageCursor: the cursor is empty")
    self.rawValue = rawValue
  }
}

extension PageCursor: Codable {
  /// Decodes a cursor.
  ///
  /// - Throws: `DecodingError`, also for an empty cursor.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard !text.isEmpty else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "empty cursor")
    }
    self.init(rawValue: text)
  }

  /// Encodes the whole text as a single string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension PageCursor: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The first 16 Unicode scalars, and an ellipsis if there are more. A space replaces each
  /// control, format and line separator character.
  public var description: String {
    let hidden: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
    var text = String.UnicodeScalarView()
    for scalar in rawValue.unicodeScalars.prefix(16) {
      text.append(hidden.contains(scalar.properties.generalCategory) ? " " : scalar)
    }
    return rawValue.unicodeScalars.dropFirst(16).isEmpty ? String(text) : String(text) + "…"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
