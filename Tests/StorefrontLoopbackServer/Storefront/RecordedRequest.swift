/// The contents of a request, read from the bytes that arrived at a ``LoopbackHTTPServer``.
package struct RecordedRequest: Sendable, Equatable {
  /// The first line, such as `GET /profile HTTP/1.1`.
  package let line: String
  /// The values of the headers by their lowercase names. Values of headers with the same name are joined with a comma.
  package let headers: [String: String]
  /// The bytes after the headers, as UTF-8.
  package let body: String

  /// Records a request and the bytes from which it was parsed.
  init(_ request: HTTPRequest, _ bytes: ArraySlice<UInt8>) {
    let head = HTTPRequestParser.recordedHead(of: bytes)
    line = head.line
    headers = Dictionary(head.headers) { "\($0), \($1)" }
    body = String(decoding: request.body, as: UTF8.self)
  }
}
