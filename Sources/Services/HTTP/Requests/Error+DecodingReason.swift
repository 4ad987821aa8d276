import Foundation

extension Error {
  /// The place and the reason of an error of `JSONDecoder`, as in `decodingReason`.
  ///
  /// `JSONDecoder` reports a number such as 1.5 in an integer field as invalid JSON, without the
  /// field. All numbers of the storefront are integers, so this function names up to four fields
  /// with another number, also unknown ones, and of the elements of a list the first.
  ///
  /// - Complexity: O(length of `json`) for such a number, otherwise O(1).
  func decodingReason(in json: Data) -> String {
    guard case DecodingError.dataCorrupted(let context) = self as any Error, context.codingPath.isEmpty else {
      return decodingReason
    }
    let paths = JSONText.pathsOfUnrepresentableNumbers(in: json, limit: 4)
    guard paths.contains(where: { !$0.isEmpty }) else { return decodingReason }
    return "\(paths.joined(separator: " or ")): the number is not an integer in the supported range"
  }
}

extension Error {
  /// The place and the reason of a decoding error, such as
  /// `items[3].price.currency: it is missing`.
  ///
  /// For any other error, this is the description of the error.
  var decodingReason: String {
    switch self as any Error {
    case DecodingError.keyNotFound(let key, let context): text(context.codingPath + [key], "it is missing")
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      text(context.codingPath, context.debugDescription)
    default: "\(self)"
    }
  }
}

private func text(_ keys: [any CodingKey], _ reason: String) -> String {
  let path = keys.reduce("") { path, key in
    if let index = key.intValue { return "\(path)[\(index)]" }
    return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
  }
  return path.isEmpty ? reason : "\(path): \(reason)"
}
