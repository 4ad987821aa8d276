import Foundation

/// Identifies a write, so that a service makes it once even if it receives it several times.
///
/// Send a write again with the same key if its outcome is unknown. Over HTTP, the key is the value
/// of the field `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
public struct IdempotencyKey: Sendable, Hashable {
  /// The key: 1 to 255 printable ASCII characters other than the space, the quotation mark and the
  /// backslash.
  public let text: String

  /// Creates a new key: a random UUID in lowercase.
  public init() { text = UUID().uuidString.lowercased() }

  /// Creates a key, if its text is not empty or too long, and has only characters of ``text``.
  public init?(_ text: String) {
    let isPrintable = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    guard isPrintable, (1...255).contains(text.utf8.count) else { return nil }
    self.text = text
  }
}

extension IdempotencyKey: CustomStringConvertible {
  public var description: String { text }
}

extension IdempotencyKey: Codable {
  /// Decodes the text of a key.
  ///
  /// - Throws: `DecodingError`, also if the text is not a key.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let key = IdempotencyKey(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "invalid idempotency key")
    }
    self = key
  }

  /// Encodes the text of the key.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
