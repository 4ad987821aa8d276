/// A JSON parser that reports the position of a syntax error, which Foundation does not do on every platform.
struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Parses all of `bytes` as one value. Arrays and objects may be nested at most 256 levels deep.
  ///
  /// - Complexity: O(n).
  static func value(of bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    var reader = JSONReader(bytes)
    let value = try reader.value()
    reader.skipSpace()
    guard reader.position == bytes.count else {
      throw reader.error("unexpected text after the end of the value")
    }
    return value
  }

  private func error(_ reason: String, at offset: Int? = nil) -> JSONSyntaxError {
    let before = bytes.prefix(offset ?? position)
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
    return JSONSyntaxError(line: line, column: column, reason: reason)
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private var found: String {
    guard let current else { return "the end of the text" }
    return (33...126).contains(current) ? "\"\(Character(Unicode.Scalar(current)))\"" : "byte \(current)"
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 32 || (9...10).contains(byte) || byte == 13 { position += 1 }
  }

  /// Skips white space, and then `byte` if it comes next. Returns whether `byte` was skipped.
  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    skipSpace()
    guard current == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    skipSpace()
    switch current {
    case UInt8(ascii: "{"): return try nested { (reader) throws(JSONSyntaxError) in try reader.object() }
    case UInt8(ascii: "["): return try nested { (reader) throws(JSONSyntaxError) in try reader.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func nested(
    _ read: (inout JSONReader) throws(JSONSyntaxError) -> JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    guard depth < 256 else { throw error("more than 256 levels deep") }
    depth += 1
    position += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONSyntaxError) -> JSONValue {
    var members: [String: JSONValue] = [:]
    guard !take("}") else { return .object(members) }
    repeat {
      skipSpace()
      let start = position
      guard current == UInt8(ascii: "\"") else { throw error("expected a key, found \(found)") }
      let key = try string()
      guard take(":") else { throw error("expected \":\", found \(found)") }
      guard members.updateValue(try value(), forKey: key) == nil else {
        throw error("the key \"\(key)\" appears twice", at: start)
      }
    } while take(",")
    guard take("}") else { throw error("expected \",\" or \"}\", found \(found)") }
    return .object(members)
  }

  private mutating func array() throws(JSONSyntaxError) -> JSONValue {
    var elements: [JSONValue] = []
    guard !take("]") else { return .array(elements) }
    repeat { elements.append(try value()) } while take(",")
    guard take("]") else { throw error("expected \",\" or \"]\", found \(found)") }
    return .array(elements)
  }

  private mutating func literal(_ text: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    guard bytes[position...].starts(with: text.utf8) else { throw error("expected a value, found \(found)") }
    position += text.utf8.count
    return value
  }

  private mutating func number() throws(JSONSyntaxError) -> String {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    let leadingZero = current == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0 else { throw error("expected a value, found \(found)") }
    guard whole == 1 || !leadingZero else { throw error("a number must not begin with 0", at: start) }
    if current == UInt8(ascii: ".") {
      position += 1
      guard digits() > 0 else { throw error("expected a digit, found \(found)") }
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      position += 1
      if current == UInt8(ascii: "-") || current == UInt8(ascii: "+") { position += 1 }
      guard digits() > 0 else { throw error("expected a digit, found \(found)") }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = current, (48...57).contains(byte) { position += 1 }
    return position - start
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    let start = position
    position += 1
    var text: [UInt8] = []
    while let byte = current {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw error("a string is not UTF-8", at: start)
        }
        return string
      case UInt8(ascii: "\\"): text += try escape()
      case 0..<32: throw error("a string contains a control character", at: position - 1)
      default: text.append(byte)
      }
    }
    throw error("a string is not terminated", at: start)
  }

  /// Parses an escape sequence after its backslash, and returns its UTF-8 bytes.
  private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
    let start = position - 1
    guard let byte = current else { throw error("a string is not terminated") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"):
      var units = [try codeUnit()]
      if UTF16.isLeadSurrogate(units[0]), bytes[position...].starts(with: "\\u".utf8) {
        position += 2
        units.append(try codeUnit())
      }
      guard let string = String(validating: units, as: UTF16.self) else {
        throw error("an escape is half of a surrogate pair", at: start)
      }
      return Array(string.utf8)
    default: throw error("unknown escape", at: start)
    }
  }

  private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
    let text = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    guard text.utf8.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt16(text, radix: 16) else {
      throw error("expected four hexadecimal digits")
    }
    position += 4
    return unit
  }
}
