import Foundation
package import StorefrontServices

/// A response with a JSON body, or another format of it, to be encoded as HTTP/1.1 with a `Content-Length`.
package struct HTTPResponse: Equatable, Sendable {
  let status: Int
  /// The JSON text.
  package let body: [UInt8]
  /// Additional fields, such as `Retry-After`.
  var fields: [String: String] = [:]
  var contentType = "application/json"
  /// The validator of the body. A response without one must not be stored.
  var entityTag: String?

  /// The body of every error: the reason, and the invalid parameter or field, if any.
  private struct ErrorBody: Encodable {
    let error: String
    let parameter: String?
  }

  package static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return HTTPResponse(status: status, body: Array(try encoder.encode(value)))
    } catch {
      preconditionFailure("a response cannot be encoded: \(error)")
    }
  }

  package static func error(_ status: Int, _ reason: String, parameter: String? = nil) -> HTTPResponse {
    json(ErrorBody(error: reason, parameter: parameter), status: status)
  }

  /// The body of a problem (RFC 9457).
  private struct ProblemBody: Encodable {
    let type: String
    let title: String
    let status: Int
  }

  /// A response that says why a write was not made (draft-ietf-httpapi-idempotency-key-header, section 2.7).
  package static func problem(_ problem: IdempotencyProblem) -> HTTPResponse {
    var response = json(
      ProblemBody(type: problem.rawValue, title: problem.title, status: problem.status),
      status: problem.status)
    response.contentType = IdempotencyProblem.contentType
    return response
  }

  /// The encoded response. Pass false for `withBody` to respond to a `HEAD` request.
  package func encoded(keepsAlive: Bool, withBody: Bool = true) -> [UInt8] {
    let caching = entityTag.map { "ETag: \($0)\r\nCache-Control: no-cache" } ?? "Cache-Control: no-store"
    let content =
      status == 304 ? "" : "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\n"
    let additional = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
    var bytes = Array(
      """
      HTTP/1.1 \(status) \(Self.phrases[status] ?? "Status")\r
      \(content)\(caching)\r
      \(additional)Connection: \(keepsAlive ? "keep-alive" : "close")\r
      \r\n
      """.utf8)
    if withBody, status != 304 { bytes += body }
    return bytes
  }

  /// This response with an `ETag`, or a response with status 304 if the request has this `ETag`. Only successful responses
  /// to `GET` have one.
  func revalidated(for request: HTTPRequest) -> HTTPResponse {
    guard request.method == "GET", status == 200 else { return self }
    // The hash FNV-1a. Two responses of a test never have the same hash by accident.
    let hash = body.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let tag = "\"\(String(hash, radix: 16))\""
    let tags = request.ifNoneMatch?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
    var response = tags.contains(tag) || tags == ["*"] ? HTTPResponse(status: 304, body: []) : self
    response.entityTag = tag
    return response
  }

  private static let phrases = [
    200: "OK", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable",
    409: "Conflict", 413: "Content Too Large",
    415: "Unsupported Media Type", 417: "Expectation Failed", 422: "Unprocessable Content",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]
}
