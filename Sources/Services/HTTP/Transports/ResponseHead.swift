import StorefrontDomain

/// The head of a response, read line by line.
///
/// Lines after the head, such as trailer fields (RFC 9110, section 6.5), only count toward
/// ``longest``.
struct ResponseHead {
  /// The most bytes in all lines, with interim responses and trailer fields.
  static let longest = 256 * 1024

  /// The version of HTTP in the status line, such as `HTTP/1.1`.
  private(set) var version = ""
  private var lines: [String: (name: String, values: [String])] = [:]
  private var lastKey: String?
  private var isInside = false
  private var length = 0

  /// Whether no other head follows. Set it after the head of the final response.
  var isFinal = false

  /// The values by name, joined by commas for equal names (RFC 9110, section 5.3).
  var fields: [String: String] {
    Dictionary(uniqueKeysWithValues: lines.values.map { ($0.name, $0.values.joined(separator: ", ")) })
  }

  /// Whether the body must be decoded more than once: each layer multiplies the work of a few
  /// bytes.
  var hasNestedEncodings: Bool {
    func encodings(_ key: String) -> [String] {
      (lines[key]?.values ?? []).joined(separator: ",").split(separator: ",")
        .map { String($0).trimmingWhitespace.lowercased() }
    }
    return encodings("content-encoding").count > 1
      || ![[], ["chunked"]].contains(encodings("transfer-encoding"))
  }

  /// Whether a part of the body could be taken for another response (RFC 9112, section 6.3): a
  /// length that is not a number, several lengths, or a length together with a transfer encoding.
  var hasAmbiguousLength: Bool {
    guard let lengths = lines["content-length"]?.values else { return false }
    return lengths.count > 1 || lines["transfer-encoding"] != nil
      || !lengths[0].utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
      || Int64(lengths[0]) == nil
  }

  var isTooLong: Bool { length > Self.longest }

  /// Reads a line. Returns whether it completes a head. After a head, a status line begins a new
  /// one. Within a head, each line is a field, because a server can name a field like a status
  /// line.
  ///
  /// - Complexity: O(length of the line and of the value that it extends).
  mutating func append(_ line: some Collection<UInt8>) -> Bool {
    length += line.count
    guard !isTooLong, !isFinal else { return false }
    let lineEnd: Set<UInt8> = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    let text = String(decoding: line.prefix { !lineEnd.contains($0) }, as: UTF8.self)
    if !isInside, text.hasPrefix("HTTP/") {
      let length = length
      self = ResponseHead()
      self.length = length
      version = String(text.prefix { $0 != " " })
      isInside = true
    } else if isInside, text.isEmpty {
      isInside = false
      return true
    } else if isInside {
      add(text)
    }
    return false
  }

  private mutating func add(_ line: String) {
    if line.first == " " || line.first == "\t" {
      // An obsolete way to continue the value of the line before (RFC 9112, section 5.2).
      guard let lastKey, let last = lines[lastKey]?.values.indices.last else { return }
      lines[lastKey]?.values[last] += " " + line.trimmingWhitespace
    } else if let colon = line.firstIndex(of: ":") {
      let name = String(line[..<colon]).trimmingWhitespace
      let key = name.lowercased()
      lines[key, default: (name, [])].values.append(
        String(line[line.index(after: colon)...]).trimmingWhitespace)
      lastKey = key
    }
  }
}
