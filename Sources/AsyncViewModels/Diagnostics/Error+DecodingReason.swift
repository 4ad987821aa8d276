extension Error {
  /// The place and the reason of a decoding error, such as `items[3].price.currency: it is missing`.
  ///
  /// For any other error, this is the description of the error.
  package var decodingReason: String {
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
