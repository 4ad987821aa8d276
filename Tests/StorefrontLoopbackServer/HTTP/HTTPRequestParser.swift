/// Parses the requests in the bytes of a connection, one at a time. Has no state. Never traps: the result for a
/// malformed request is ``Result/malformed(_:)``.
enum HTTPRequestParser {
  enum Result: Equatable {
    /// A request and its length in bytes.
    case request(HTTPRequest, length: Int)
    /// The request is valid so far, but not complete.
    case incomplete
    /// The parser rejects the request, and the response contains the reason. The start of the next request is
    /// unknown.
    case malformed(HTTPResponse)
  }

  static let maximumHead = 16 * 1024
  static let maximumBody = 1024 * 1024

  private struct Fault: Error {
    var status = 400
    let reason: String
  }

  /// Parses the first request of `bytes`, and ignores the bytes after it.
  ///
  /// - Complexity: O(length of the request).
  static func parse(_ bytes: ArraySlice<UInt8>) -> Result {
    do throws(Fault) {
      guard let head = try head(of: bytes) else { return .incomplete }
      let bodyLength = head.bodyLength ?? 0
      let length = head.length + bodyLength
      guard bytes.count >= length else { return .incomplete }
      let body = Array(bytes.dropFirst(head.length).prefix(bodyLength))
      let request = HTTPRequest(
        method: head.method, target: head.target, body: body, keepsAlive: head.keepsAlive,
        fields: head.fields)
      return .request(request, length: length)
    } catch {
      return .malformed(.error(error.status, error.reason))
    }
  }

  private struct Head {
    let method: String
    let target: String
    let version: String
    var length = 0
    var bodyLength: Int?
    var keepsAlive: Bool
    var fields: [String: String] = [:]
  }

  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private static func head(of bytes: ArraySlice<UInt8>) throws(Fault) -> Head? {
    let (lines, length) = try headLines(of: bytes)
    guard let length else {
      guard bytes.count < maximumHead else { throw Fault(status: 431, reason: "the head is too long") }
      if let first = lines.first { _ = try requestLine(first) }
      return nil
    }
    var head = try requestLine(lines[0])
    head.length = length
    for line in lines.dropFirst() { try header(line, into: &head) }
    guard head.fields["host"] != nil || head.version == "HTTP/1.0" else {
      throw Fault(reason: "the field host is missing")
    }
    return head
  }

  /// The first line and all headers of a request that ``parse(_:)`` accepts. The names of the headers are lowercase.
  static func recordedHead(of bytes: ArraySlice<UInt8>) -> (line: String, headers: [(String, String)]) {
    guard let lines = try? headLines(of: bytes).lines else { return ("", []) }
    let headers = lines.dropFirst().compactMap { line in field(line).map { ($0.name, text(of: $0.value)) } }
    return (lines.first.map { String(decoding: $0, as: UTF8.self) } ?? "", headers)
  }

  /// Returns the lines of the head without their line ends, and the length of the head, or nil if the head is not
  /// complete.
  private static func headLines(
    of bytes: ArraySlice<UInt8>
  ) throws(Fault) -> (lines: [ArraySlice<UInt8>], length: Int?) {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    while let end = bytes[start...].prefix(maximumHead).firstIndex(of: newline) {
      var line = bytes[start..<end]
      guard line.last == carriageReturn else { throw Fault(reason: "a line ends without a carriage return") }
      line.removeLast()
      start = end + 1
      guard start - bytes.startIndex <= maximumHead else { break }
      // HTTP allows empty lines before the request line. Any other empty line ends the head.
      if line.isEmpty, lines.isEmpty { continue }
      guard line.isEmpty else {
        lines.append(line)
        continue
      }
      return (lines, start - bytes.startIndex)
    }
    return (lines, nil)
  }

  private static func requestLine(_ line: ArraySlice<UInt8>) throws(Fault) -> Head {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.allSatisfy { (33...126).contains($0) } }),
      !parts[0].isEmpty, parts[1].first == UInt8(ascii: "/")
    else { throw Fault(reason: "the request line is malformed") }
    let version = String(decoding: parts[2], as: UTF8.self)
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
      throw Fault(
        status: version.hasPrefix("HTTP/") ? 505 : 400, reason: "only HTTP/1.0 and HTTP/1.1 are supported")
    }
    return Head(
      method: String(decoding: parts[0], as: UTF8.self), target: String(decoding: parts[1], as: UTF8.self),
      version: version, keepsAlive: version == "HTTP/1.1")
  }

  /// The fields that a request must not have twice.
  private static let singleFields: Set = [
    "authorization", "content-length", "content-type", "host", "idempotency-key", "last-event-id",
  ]

  /// The fields whose values are lists. Several lines are one list (RFC 9110, section 5.3).
  private static let listFields: Set = [
    "accept", "connection", "content-encoding", "expect", "if-none-match", "transfer-encoding",
  ]

  private static func header(_ line: ArraySlice<UInt8>, into head: inout Head) throws(Fault) {
    guard let (name, bytes) = field(line) else { throw Fault(reason: "a header is malformed") }
    let isSingle = singleFields.contains(name)
    guard isSingle || listFields.contains(name) else { return }
    let value = text(of: bytes)
    if let earlier = head.fields[name] {
      guard !isSingle else { throw Fault(reason: "there is more than one field \(name)") }
      head.fields[name] = "\(earlier), \(value)"
    } else {
      head.fields[name] = value
    }
    switch name {
    case "content-length": head.bodyLength = try bodyLength(value)
    case "transfer-encoding": throw Fault(status: 501, reason: "transfer encodings are not supported")
    case "connection":
      let options = value.lowercased().split(separator: ",").map { String($0).trimmingSpaces() }
      if options.contains("close") { head.keepsAlive = false }
      if options.contains("keep-alive") { head.keepsAlive = true }
    default: break
    }
  }

  private static func bodyLength(_ value: String) throws(Fault) -> Int {
    guard !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }) else {
      throw Fault(reason: "the content length is not a number")
    }
    guard let length = Int(value), length <= maximumBody else {
      throw Fault(status: 413, reason: "the body is too long")
    }
    return length
  }

  /// Returns the lowercase name of a header and the bytes after the colon, or nil if the header is malformed: its name is no token, or
  /// its value contains a control character (RFC 9110, sections 5.1 and 5.5).
  private static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: ArraySlice<UInt8>)? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(tokenBytes.contains)
    else { return nil }
    let value = line[(colon + 1)...]
    guard value.allSatisfy({ $0 == UInt8(ascii: "\t") || $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    return (String(decoding: line[..<colon], as: UTF8.self).lowercased(), value)
  }

  private static let tokenBytes = Set(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  private static func text(of value: ArraySlice<UInt8>) -> String {
    String(decoding: value, as: UTF8.self).trimmingSpaces()
  }
}

extension String {
  fileprivate func trimmingSpaces() -> String {
    let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(drop(while: blank).reversed().drop(while: blank).reversed())
  }
}
