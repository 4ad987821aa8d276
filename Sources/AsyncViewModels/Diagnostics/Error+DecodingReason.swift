extension Error {
  /// For data that could not be decoded, where it is wrong and how, such as `items[3].price.currency: it is missing`; for any other
  /// error its description.
  package var decodingReason: String {
    switch self as any Error {
    case DecodingError.keyNotFound(let key, let context): place(context.codingPath + [key], "it is missing")
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      place(context.codingPath, context.debugDescription)
    default: "\(self)"
    }
  }
}

private func place(_ keys: [any CodingKey], _ reason: String) -> String {
  let path = keys.reduce("") { path, key in
    if let index = key.intValue { return "\(path)[\(index)]" }
    return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
  }
  return path.isEmpty ? reason : "\(path): \(reason)"
}
