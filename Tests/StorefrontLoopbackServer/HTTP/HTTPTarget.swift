/// A parsed request target: the components of its path, and the parameters of its query.
package struct HTTPTarget {
  package let path: [String]
  private let parameters: [String: String]

  /// Parses a target.
  ///
  /// - Throws: ``ParameterError`` if the path has an empty component, such as between two slashes, if a part of the target is not
  ///   correctly encoded, or if a parameter has no name or appears twice.
  package init(_ target: String) throws(ParameterError) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = try Self.path(parts[0])
    parameters = parts.count < 2 ? [:] : try Self.parameters(parts[1])
  }

  private static func path(_ text: Substring) throws(ParameterError) -> [String] {
    guard text != "/" else { return [] }
    var path: [String] = []
    for component in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard !component.isEmpty else {
        throw ParameterError(parameter: "path", reason: "it has an empty component")
      }
      path.append(try decoded(component, plusIsSpace: false, parameter: "path"))
    }
    return path
  }

  private static func parameters(_ text: Substring) throws(ParameterError) -> [String: String] {
    var parameters: [String: String] = [:]
    for parameter in text.split(separator: "&", omittingEmptySubsequences: false) {
      let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try decoded(pair[0], plusIsSpace: true, parameter: "query")
      guard !name.isEmpty else {
        throw ParameterError(parameter: "query", reason: "a parameter has no name")
      }
      let value = pair.count < 2 ? "" : try decoded(pair[1], plusIsSpace: true, parameter: name)
      guard parameters.updateValue(value, forKey: name) == nil else {
        throw ParameterError(parameter: name, reason: "it appears twice")
      }
    }
    return parameters
  }

  /// The value of a parameter, or `nil` if the parameter is missing. A parameter without `=` has an empty value.
  package func value(of name: String) -> String? { parameters[name] }

  /// Requires that the query has no other parameters than these.
  ///
  /// - Throws: ``ParameterError`` that names the first other parameter, in the order of the names.
  func require(only names: Set<String>) throws(ParameterError) {
    guard let other = parameters.keys.filter({ !names.contains($0) }).min() else { return }
    throw ParameterError(parameter: other, reason: "the parameter is unknown")
  }

  /// The value of a parameter as a number in the range, or `fallback` if the parameter is missing.
  ///
  /// - Throws: ``ParameterError`` if the value is not a whole number in the range.
  func number(
    _ name: String, in range: ClosedRange<Int>, default fallback: Int
  ) throws(ParameterError) -> Int {
    guard let text = value(of: name) else { return fallback }
    guard let number = Int(shortest: text), range.contains(number) else {
      let limit = range.upperBound == .max ? "at least \(range.lowerBound)" : "within \(range)"
      throw ParameterError(parameter: name, reason: "expected a whole number \(limit), found \"\(text)\"")
    }
    return number
  }

  /// - Parameter plusIsSpace: Whether a plus sign is an encoded space, as in a query.
  private static func decoded(
    _ text: Substring, plusIsSpace: Bool, parameter: String
  ) throws(ParameterError) -> String {
    guard text.utf8.allSatisfy(plainBytes.contains) else {
      throw ParameterError(parameter: parameter, reason: "it contains a character that must be escaped")
    }
    guard let text = decoded(text, plusIsSpace: plusIsSpace) else {
      throw ParameterError(parameter: parameter, reason: "its percent-encoding is not valid UTF-8")
    }
    return text
  }

  /// The characters of paths and queries that are not escaped (RFC 3986, sections 3.3 and 3.4), and the percent sign.
  private static let plainBytes = Set(
    "%-._~!$&'()*+,;=:@/?0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

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

extension Int {
  /// The number that a text describes, or `nil` if the text is not the shortest one, such as `+1` or `01`.
  init?(shortest text: String) {
    guard let number = Int(text), "\(number)" == text else { return nil }
    self = number
  }
}
