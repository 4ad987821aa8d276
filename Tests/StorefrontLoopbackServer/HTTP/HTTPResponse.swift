import Foundation

/// A response with a JSON body, to be encoded as HTTP/1.1 with a `Content-Length`.
package struct HTTPResponse: Equatable, Sendable {
  let status: Int
  /// The JSON text.
  let body: [UInt8]

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

  /// The encoded response. Pass false for `withBody` to respond to a `HEAD` request.
  func encoded(keepsAlive: Bool, withBody: Bool = true) -> [UInt8] {
    var bytes = Array(
      """
      HTTP/1.1 \(status) \(Self.phrases[status] ?? "Status")\r
      Content-Type: application/json\r
      Content-Length: \(body.count)\r
      Cache-Control: no-store\r
      Connection: \(keepsAlive ? "keep-alive" : "close")\r
      \r\n
      """.utf8)
    if withBody { bytes += body }
    return bytes
  }

  private static let phrases = [
    200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 409: "Conflict",
    413: "Content Too Large", 422: "Unprocessable Content", 431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]
}
