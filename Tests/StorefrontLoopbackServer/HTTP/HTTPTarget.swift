/// A parsed request target: the components of its path, and the parameters of its query.
///
/// Components and names that are not correctly encoded are kept as they are.
package struct HTTPTarget {
  package let path: [String]
  private let parameters: [(name: String, value: String?)]

  package init(_ target: String) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts[0].split(separator: "/").map { Self.decoded($0, plusIsSpace: false) ?? String($0) }
    parameters =
      parts.count < 2
      ? []
      : parts[1].split(separator: "&").map { parameter in
        let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (
          Self.decoded(pair[0], plusIsSpace: true) ?? String(pair[0]),
          pair.count < 2 ? "" : Self.decoded(pair[1], plusIsSpace: true)
        )
      }
  }

  /// The value of a parameter, or `nil` if the parameter is missing. A parameter without `=` has an empty value.
  ///
  /// - Throws: ``ParameterError`` if the value is not correctly encoded.
  package func value(of name: String) throws(ParameterError) -> String? {
    guard let parameter = parameters.first(where: { $0.name == name }) else { return nil }
    guard let value = parameter.value else {
      throw ParameterError(parameter: name, reason: "its percent-encoding is not valid UTF-8")
    }
    return value
  }

  /// The value of a parameter as a number in the range, or `fallback` if the parameter is missing.
  ///
  /// - Throws: ``ParameterError`` if the value is not a whole number in the range.
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

  /// - Parameter plusIsSpace: Whether a plus sign is an encoded space, as in a query.
  private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
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
