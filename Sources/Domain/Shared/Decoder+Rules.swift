extension KeyedDecodingContainer {
  /// Throws a `DecodingError` with the path of the field if its value breaks a rule.
  func require(_ isValid: Bool, _ reason: @autoclosure () -> String, of key: Key) throws {
    guard isValid else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: reason())
    }
  }
}

extension Decoder {
  /// Decodes the number of an id. Throws a `DecodingError` for a number below 1.
  func decodeIDNumber() throws -> Int {
    let container = try singleValueContainer()
    let number = try container.decode(Int.self)
    guard number >= 1 else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "invalid id: \(number)")
    }
    return number
  }
}
