/// Turns the bytes that a terminal sends into keys.
///
/// A read can end within a character or an escape sequence. The parser keeps such bytes for the
/// next read. The Escape key sends only the first byte of a sequence: call ``flush()`` if no byte
/// follows for a while. Unknown sequences and malformed UTF-8 are skipped, so nothing of them is
/// taken for typed text.
struct KeyParser {
  /// The bytes of a character or sequence that is not complete.
  private var pending: [UInt8] = []

  /// An escape sequence that is longer is not from a key.
  private static let longestSequence = 32

  private enum Token {
    case key(Key?, length: Int)
    case incomplete
  }

  /// Whether ``flush()`` can have an effect.
  var isWaiting: Bool { !pending.isEmpty }

  /// Returns the keys that are complete after these bytes.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while !pending.isEmpty, case .key(let key, let length) = Self.token(pending) {
      if let key { keys.append(key) }
      pending.removeFirst(length)
    }
    return keys
  }

  /// Ends the input so far: a single escape byte is the Escape key, and every other incomplete
  /// input is dropped.
  mutating func flush() -> [Key] {
    defer { pending = [] }
    return pending == [0x1B] ? [.escape] : []
  }

  private static func token(_ bytes: [UInt8]) -> Token {
    switch bytes[0] {
    case 0x1B: escape(bytes)
    case 0x09: .key(.tab, length: 1)
    case 0x0A, 0x0D: .key(.enter, length: 1)
    case 0x08, 0x7F: .key(.backspace, length: 1)
    case let byte where (0x01...0x1A).contains(byte):
      .key(.control(Character(Unicode.Scalar(byte + 0x60))), length: 1)
    case 0x00..<0x20: .key(nil, length: 1)
    default: character(bytes)
    }
  }

  private static func character(_ bytes: [UInt8]) -> Token {
    let length =
      switch bytes[0] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let present = bytes.prefix(length)
    // A byte that cannot continue the character ends it: the character is malformed.
    if let end = present.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) {
      return .key(nil, length: end)
    }
    guard present.count == length else { return .incomplete }
    guard let text = String(validating: present, as: UTF8.self), let character = text.first,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return .key(nil, length: length) }
    return .key(.character(character), length: length)
  }

  private static func escape(_ bytes: [UInt8]) -> Token {
    guard bytes.count > 1 else { return .incomplete }
    switch bytes[1] {
    case 0x1B: return .key(.escape, length: 1)
    case UInt8(ascii: "["): return controlSequence(bytes)
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return .incomplete }
      return .key(cursorKey(bytes[2]), length: 3)
    default:
      // A key that was pressed together with Alt. The demo has none.
      guard case .key(_, let length) = token(Array(bytes.dropFirst())) else { return .incomplete }
      return .key(nil, length: 1 + length)
    }
  }

  /// A sequence with parameters and a final byte, such as `ESC [ 5 ~` (ECMA-48, section 5.4).
  private static func controlSequence(_ bytes: [UInt8]) -> Token {
    // The Linux console sends `ESC [ [ A` for a function key.
    if bytes.count > 2, bytes[2] == UInt8(ascii: "[") {
      return bytes.count > 3 ? .key(nil, length: 4) : .incomplete
    }
    guard let end = bytes.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
      return bytes.count > longestSequence ? .key(nil, length: bytes.count) : .incomplete
    }
    guard (0x40...0x7E).contains(bytes[end]) else { return .key(nil, length: end) }
    let parameters = String(decoding: bytes[2..<end], as: UTF8.self)
    guard bytes[end] == UInt8(ascii: "~") else {
      return .key(parameters.isEmpty ? cursorKey(bytes[end]) : nil, length: end + 1)
    }
    let key: Key? =
      switch parameters {
      case "1", "7": .home
      case "3": .delete
      case "4", "8": .end
      case "5": .pageUp
      case "6": .pageDown
      default: nil
      }
    return .key(key, length: end + 1)
  }

  private static func cursorKey(_ final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "Z"): .backTab
    default: nil
    }
  }
}
