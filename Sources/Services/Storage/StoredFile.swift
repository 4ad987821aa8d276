/// The bytes of a stored file: a header line, and the encoded value.
///
/// ```
/// storefront-file crc32=4f09d1a2 schema=2 bytes=27
/// {"currency":"EUR","items":[]}
/// ```
///
/// The checksum covers all bytes after it. A header has exactly one form, so that each changed bit
/// is noticed, also in the checksum. A file without a payload has no value.
package struct StoredFile: Equatable, Sendable {
  /// The version of the schema of the payload, at least 1.
  package let schema: Int
  /// The encoded value, or empty if there is no value.
  package let payload: [UInt8]

  package init(schema: Int, payload: [UInt8]) {
    self.schema = schema
    self.payload = payload
  }

  package var bytes: [UInt8] {
    let covered = Array("schema=\(schema) bytes=\(payload.count)\n".utf8) + payload
    let digits = String(CRC32.checksum(of: covered), radix: 16)
    let checksum = String(repeating: "0", count: 8 - digits.count) + digits
    return Array("\(Self.signature)\(checksum) ".utf8) + covered
  }

  private static let signature = "storefront-file crc32="
  /// The digits of the checksum and a space.
  private static let checksumLength = 9

  /// Reads the header, and checks all bytes.
  package init(_ bytes: [UInt8]) throws(FileDamage) {
    guard bytes.starts(with: Self.signature.utf8) else { throw FileDamage(reason: "The header is missing.") }
    let covered = bytes.dropFirst(Self.signature.utf8.count + Self.checksumLength)
    let lines = covered.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    let fields = lines.first.map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
    guard lines.count == 2, fields.count == 2, let schema = Self.number(fields[0], "schema="), schema >= 1,
      let length = Self.number(fields[1], "bytes=")
    else { throw FileDamage(reason: "The header is malformed.") }
    self.init(schema: schema, payload: Array(lines[1]))
    guard length == payload.count else {
      throw FileDamage(reason: "The file has \(payload.count) bytes of data, but the header says \(length).")
    }
    guard self.bytes == bytes else { throw FileDamage(reason: "The checksum does not match the data.") }
  }

  private static func number(_ field: Substring, _ name: String) -> Int? {
    field.hasPrefix(name) ? Int(field.dropFirst(name.count)) : nil
  }
}

/// The reason why the bytes of a file are not a value.
package struct FileDamage: Error, Equatable, Sendable {
  /// A sentence for people, or the place and the reason of a decoding error.
  package let reason: String

  package init(reason: String) {
    self.reason = reason
  }
}
