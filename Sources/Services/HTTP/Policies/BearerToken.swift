/// A secret that gives access to a service (RFC 6750). Its descriptions do not contain the secret.
public struct BearerToken: Hashable, Sendable {
  /// The secret.
  public let value: String

  /// Creates a token, or returns `nil` if `value` breaks RFC 6750: at least one ASCII letter, digit
  /// or character of `-._~+/`, then any number of `=`. Other characters could end the header field.
  public init?(_ value: String) {
    let core = value.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
    guard !core.isEmpty, core.allSatisfy(Self.isAllowed) else { return nil }
    self.value = value
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~+/".utf8.contains(byte)
    }
  }
}

extension BearerToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "BearerToken(hidden)" }

  public var debugDescription: String { description }

  /// A mirror without children, so that `dump` does not print the secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
