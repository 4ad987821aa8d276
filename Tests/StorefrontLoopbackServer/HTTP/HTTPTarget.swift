/// The components of the path of a request, and the parameters of its query.
struct HTTPTarget {
  let path: [String]
  private let parameters: [(name: String, value: String?)]

  init(_ target: String) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = halves[0].split(separator: "/").map { Self.decoded($0) ?? String($0) }
    parameters =
      halves.count < 2
      ? []
      : halves[1].split(separator: "&").map { pair in
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (Self.decoded(sides[0]) ?? String(sides[0]), sides.count < 2 ? "" : Self.decoded(sides[1]))
      }
  }

  /// The value of a parameter, or nil if it is missing.
  ///
  /// - Throws: ``ParameterError`` if the value is not correctly encoded.
  func value(of name: String) throws(ParameterError) -> String? {
    guard let parameter = parameters.first(where: { $0.name == name }) else { return nil }
    guard let value = parameter.value else {
      throw ParameterError(parameter: name, reason: "it is not percent-encoded UTF-8")
    }
    return value
  }

  /// The value of a parameter as a number in the range, or `fallback` if it is missing.
  func number(
    _ name: String, in range: ClosedRange<Int>, default fallback: Int
  ) throws(ParameterError) -> Int {
    guard let text = try value(of: name) else { return fallback }
    guard let number = Int(text), range.contains(number) else {
      let limit = range.upperBound == .max ? "at least \(range.lowerBound)" : "within \(range)"
      throw ParameterError(parameter: name, reason: "expected a whole number \(limit), found \"\(text)\"")
    }
    return number
  }

  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2)
        guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
          let decoded = UInt8(Substring(digits), radix: 16)
        else { return nil }
        bytes.append(decoded)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
