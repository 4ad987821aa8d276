import StorefrontServices

/// The rules for requests that the server checks before it handles them.
enum RequestRules {
  /// The content type of each response except those of the feed.
  static let json = "application/json"
  /// The content type of the feed.
  static let events = "text/event-stream"

  /// Returns the response to a request that breaks a rule, or `nil` if the request breaks none.
  ///
  /// - Parameters:
  ///   - type: The content type of a successful response.
  static func refusal(of request: HTTPRequest, type: String) -> HTTPResponse? {
    guard accepts(request.fields["accept"], type) else {
      return .error(406, "the field accept does not allow \(type)", parameter: "accept")
    }
    guard request.fields["expect"] == nil else {
      return .error(417, "expect: no expectation is supported", parameter: "expect")
    }
    let isWrite = ["POST", "PUT", "DELETE"].contains(request.method)
    if request.body.isEmpty {
      guard request.fields["content-type"] == nil || request.method == "POST" || request.method == "PUT"
      else {
        return .error(400, "content-type: there is no body", parameter: "content-type")
      }
    } else {
      guard ["POST", "PUT"].contains(request.method) else {
        return .error(400, "body: a \(request.method) request has no body", parameter: "body")
      }
      guard let type = request.fields["content-type"], isPlainJSON(type) else {
        return .error(415, "the body must be \(json) in UTF-8", parameter: "content-type")
      }
      guard request.fields["content-encoding"] == nil else {
        return .error(415, "the body must not be encoded", parameter: "content-encoding")
      }
    }
    guard isWrite else {
      return request.fields["idempotency-key"] == nil
        ? nil : .error(400, "idempotency-key: a read has no key", parameter: "idempotency-key")
    }
    guard request.fields["idempotency-key"] != nil else { return .problem(.missing) }
    guard request.idempotencyKey != nil else {
      return .error(
        400, "idempotency-key: it must be a string of 1 to 255 characters", parameter: "idempotency-key")
    }
    return nil
  }

  /// Whether the field `Accept` allows a content type (RFC 9110, section 12.5.1). A request without the field allows each type.
  static func accepts(_ field: String?, _ type: String) -> Bool {
    guard let field else { return true }
    let ranges = [type, type.prefix { $0 != "/" } + "/*", "*/*"]
    let weights = field.split(separator: ",").compactMap { element -> (precision: Int, isAllowed: Bool)? in
      let range = mediaType(String(element))
      return ranges.firstIndex(of: range).map { ($0, weight(of: element) != 0) }
    }
    // The most specific range decides.
    return weights.min { $0.precision < $1.precision }?.isAllowed ?? false
  }

  private static func weight(of element: Substring) -> Double {
    for parameter in element.lowercased().split(separator: ";").dropFirst() {
      let pair = parameter.split(separator: "=").map { $0.filter { $0 != " " } }
      if pair.count == 2, pair[0] == "q" { return Double(pair[1]) ?? 0 }
    }
    return 1
  }

  /// Whether the type is JSON without parameters, or with the character set UTF-8.
  private static func isPlainJSON(_ type: String) -> Bool {
    mediaType(type) == json
      && type.lowercased().split(separator: ";").dropFirst().allSatisfy { parameter in
        ["charset=utf-8", "charset=\"utf-8\""].contains(parameter.filter { $0 != " " && $0 != "\t" })
      }
  }

  private static func mediaType(_ value: String) -> String {
    value.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
  }
}
