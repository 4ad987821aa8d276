/// A request as its bytes arrived at a ``LoopbackHTTPServer``.
package struct RecordedRequest: Sendable, Equatable {
  /// The first line, such as `GET /profile HTTP/1.1`.
  package let line: String
  /// The values of the headers by their lowercase names. Values of headers with the same name are joined with a comma.
  package let headers: [String: String]
  /// The bytes after the headers, as UTF-8.
  package let body: String

  /// Splits the bytes of a valid request.
  init(_ bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self).split(
      separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = text[0].split(separator: "\r\n")
    line = lines.first.map(String.init) ?? ""
    let headers = lines.dropFirst().map { header in
      let parts = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (parts[0].lowercased(), parts.count < 2 ? "" : String(parts[1].drop { $0 == " " }))
    }
    self.headers = Dictionary(headers) { "\($0), \($1)" }
    body = text.count < 2 ? "" : String(text[1])
  }
}
