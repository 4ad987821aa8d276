import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import Testing

/// An answer of a broken or hostile server, and how a read and a write end that receive it.
struct HostileAnswer: Sendable, CustomTestStringConvertible {
  let name: String
  private let read: CallEnding
  private let write: CallEnding
  private let limit: URLSessionLimit?
  /// The fault of the server, made from the body that the client expects.
  let fault: @Sendable (_ body: String) -> LoopbackFault

  var testDescription: String { name }

  /// What `URLSession` on Linux makes of the answer, other than libcurl.
  enum URLSessionLimit {
    case ends(CallEnding)
    /// It ends the process, or is busy for a long time after the request is cancelled, also with the requests of other sessions.
    case unusable
  }

  init(
    _ name: String, read: CallEnding, write: CallEnding, limit: URLSessionLimit? = nil,
    _ fault: @escaping @Sendable (String) -> LoopbackFault
  ) {
    self.name = name
    self.read = read
    self.write = write
    self.limit = limit
    self.fault = fault
  }

  init(
    _ name: String, _ ending: CallEnding, limit: URLSessionLimit? = nil,
    _ fault: @escaping @Sendable (String) -> LoopbackFault
  ) {
    self.init(name, read: ending, write: ending, limit: limit, fault)
  }

  /// How a read ends, or `nil` if the transport cannot receive the answer.
  func read(over transport: HTTPForm.Transport) -> CallEnding? { ending(read, over: transport) }

  /// How a write ends, or `nil` if the transport cannot receive the answer.
  func write(over transport: HTTPForm.Transport) -> CallEnding? { ending(write, over: transport) }

  private func ending(_ ending: CallEnding, over transport: HTTPForm.Transport) -> CallEnding? {
    switch (transport, limit) {
    case (.standard, _), (.urlSession, nil): ending
    case (.urlSession, .ends(let ending)): ending
    case (.urlSession, .unusable): nil
    }
  }
}

/// How a call of a service ended.
enum CallEnding: Equatable, Sendable {
  case value, lost, timedOut, malformed, redirected, tooLarge
  case status(Int)
  case other(String)

  init(of call: () async throws -> Void) async {
    do {
      try await call()
      self = .value
    } catch let error as ServiceError {
      self =
        switch error {
        case .connectionLost: .lost
        case .timedOut: .timedOut
        case .malformed: .malformed
        case .redirected: .redirected
        case .tooLarge: .tooLarge
        case .status(let code, _): .status(code)
        default: .other("\(error)")
        }
    } catch {
      self = .other("\(error)")
    }
  }
}

extension HostileAnswer {
  /// The bytes of a response.
  ///
  /// - Parameter length: The announced length of the body, or `nil` to announce its real length.
  private static func http(
    _ status: String = "200 OK", _ headers: [String] = ["Content-Type: application/json"], body: String = "",
    length: String? = nil
  ) -> [UInt8] {
    let headers = headers + ["Content-Length: \(length ?? "\(body.utf8.count)")"]
    return Array("HTTP/1.1 \(status)\r\n\(headers.joined(separator: "\r\n"))\r\n\r\n\(body)".utf8)
  }

  private static func answer(
    _ status: String = "200 OK", _ headers: [String] = ["Content-Type: application/json"], body: String = "",
    length: String? = nil, end: LoopbackFault.End = .close
  ) -> LoopbackFault {
    .bytes(http(status, headers, body: body, length: length), end: end)
  }

  private static func raw(_ text: String, end: LoopbackFault.End = .close) -> LoopbackFault {
    .bytes(Array(text.utf8), end: end)
  }

  private static let html = ["Content-Type: text/html"]
  private static let page = "<html><body>Please log in.</body></html>"
  private static let json = "Content-Type: application/json\r\n"

  static let all = redirections + passwords + strangers + bodies + framings + connections

  private static let redirections =
    [301, 302, 303, 307, 308].map { status in
      HostileAnswer("\(status) to the same host", read: .value, write: .redirected) { _ in
        answer("\(status) Moved", ["Location: /profile"], end: .next)
      }
    } + [
      HostileAnswer("302 to another host", .redirected) { _ in
        answer("302 Found", ["Location: http://localhost.example/profile"])
      },
      HostileAnswer("302 to another port", .redirected) { _ in
        answer("302 Found", ["Location: http://127.0.0.1:1/profile"])
      },
      HostileAnswer("302 to a file", .redirected) { _ in
        answer("302 Found", ["Location: file:///etc/passwd"])
      },
      HostileAnswer("302 to a host with a slash in its name", .redirected, limit: .unusable) { _ in
        answer("302 Found", ["Location: //a%2Fb/x"])
      },
      HostileAnswer("302 to another address", .redirected, limit: .unusable) { _ in
        answer("302 Found", ["Location: //[::1]/x"])
      },
      HostileAnswer("302 with a body that never ends", .tooLarge, limit: .unusable) { _ in
        raw(
          "HTTP/1.1 302 Found\r\nLocation: /profile\r\n\r\n",
          end: .endless(Array(repeating: 0x20, count: 1 << 16)))
      },
      HostileAnswer("302 without a location", .status(302)) { _ in answer("302 Found", []) },
      HostileAnswer("302 with an empty location", .status(302)) { _ in answer("302 Found", ["Location:"]) },
      HostileAnswer("304 without a condition in the request", .status(304)) { _ in
        raw("HTTP/1.1 304 Not Modified\r\n\r\n")
      },
    ]

  private static let passwords =
    ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\"", "Bearer", "Negotiate", "NTLM"].map { scheme in
      HostileAnswer("401 that asks for \(scheme.prefix { $0 != " " })", .status(401)) { _ in
        answer("401 Unauthorized", ["WWW-Authenticate: \(scheme)"])
      }
    } + [
      HostileAnswer("401 without a challenge", .status(401)) { _ in answer("401 Unauthorized", []) },
      HostileAnswer("407 of a proxy", .status(407)) { _ in
        answer("407 Proxy Authentication Required", ["Proxy-Authenticate: Basic realm=\"x\""])
      },
    ]

  private static let strangers = [
    HostileAnswer("a login page", .malformed) { _ in answer("200 OK", html, body: page) },
    HostileAnswer("a login page without a content type", .malformed) { _ in answer("200 OK", [], body: page)
    },
    HostileAnswer("a login page that claims to be JSON", .malformed) { _ in answer(body: page) },
    HostileAnswer("the right body as plain text", .malformed) { body in
      answer("200 OK", ["Content-Type: text/plain"], body: body)
    },
    HostileAnswer("the right body as JSON with a character set", .value) { body in
      answer("200 OK", ["Content-Type: Application/JSON ; charset=utf-8"], body: body)
    },
    HostileAnswer("an HTML 404", .status(404)) { _ in answer("404 Not Found", html, body: page) },
    HostileAnswer("a 404 in another JSON format", .status(404)) { _ in
      answer("404 Not Found", body: #"{"message":"no route"}"#)
    },
    HostileAnswer("an HTML 409", .status(409)) { _ in answer("409 Conflict", html, body: page) },
    HostileAnswer("an HTML 502", .status(502)) { _ in answer("502 Bad Gateway", html, body: page) },
    HostileAnswer("an error with the status 200", .malformed) { _ in answer(body: #"{"error":"no"}"#) },
    HostileAnswer("202 instead of 200", .malformed) { body in answer("202 Accepted", body: body) },
    HostileAnswer("204 without a body", .malformed) { _ in raw("HTTP/1.1 204 No Content\r\n\r\n") },
    HostileAnswer("206 with the whole body", .malformed) { body in answer("206 Partial Content", body: body)
    },
    HostileAnswer("the status 299", .malformed) { body in answer("299 Strange", body: body) },
    HostileAnswer("the status 600", .status(600)) { _ in answer("600 Strange", []) },
  ]

  private static let bodies =
    [
      ("an empty body", ""), ("null", "null"), ("an array", "[]"), ("a number", "1e999"),
      ("a string", #""x""#),
      ("half of an object", #"{"id":1,"#), ("two values", "{}{}"), ("a NUL", "\0"),
      ("an object without the fields", "{}"), ("deep nesting", String(repeating: "[", count: 100_000)),
      ("a fraction for a whole number", #"{"id":1.5,"product":1.5,"quantity":1}"#),
      (
        "a number above 64 bits",
        #"{"id":99999999999999999999,"product":99999999999999999999,"quantity":1}"#
      ),
      ("a text for a number", #"{"id":"1","product":"1","quantity":1}"#),
      ("the id of something else", #"{"id":0,"product":2,"quantity":1}"#),
    ].map { name, body in HostileAnswer("a body with \(name)", .malformed) { _ in answer(body: body) } } + [
      HostileAnswer("a body in invalid UTF-8", .malformed) { _ in
        .bytes(http(length: "4") + [0x22, 0xC3, 0x28, 0x22])
      }
    ]

  private static let framings = [
    HostileAnswer("HTTP/1.0", .value) { body in raw("HTTP/1.0 200 OK\r\n\(json)\r\n\(body)") },
    HostileAnswer("a body that ends with the connection", .value) { body in
      raw("HTTP/1.1 200 OK\r\n\(json)Connection: close\r\n\r\n\(body)")
    },
    HostileAnswer("lines that end without a carriage return", .value, limit: .ends(.lost)) { body in
      raw("HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: \(body.utf8.count)\n\n\(body)")
    },
    HostileAnswer("an interim response first", .value) { body in
      .bytes(Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8) + http(body: body))
    },
    HostileAnswer("a body in chunks", .value) { body in raw(chunked(body) + "0\r\n\r\n") },
    HostileAnswer("a body in chunks with a trailer field", .value, limit: .unusable) { body in
      raw(chunked(body) + "0\r\nX: y\r\n\r\n")
    },
    HostileAnswer("trailer fields that never end", .malformed, limit: .unusable) { body in
      raw(chunked(body) + "0\r\n", end: .endless(Array("X: y\r\n".utf8)))
    },
    HostileAnswer("chunks that are cut off", .lost) { body in raw(chunked(body)) },
    HostileAnswer("chunks with a wrong length", .lost) { _ in
      raw("HTTP/1.1 200 OK\r\n\(json)Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n")
    },
    HostileAnswer("a body longer than announced", .value) { body in
      .bytes(http(body: body) + Array("HTTP/1.1 500 Late\r\n\r\n".utf8))
    },
    HostileAnswer("a body shorter than announced", .lost) { body in answer(body: body, length: "1000") },
    HostileAnswer("a body of which only half is announced", .malformed) { body in
      answer(body: body, length: "\(body.utf8.count / 2)")
    },
    HostileAnswer("a body that is not the announced gzip", .lost) { body in
      answer("200 OK", ["Content-Type: application/json", "Content-Encoding: gzip"], body: body)
    },
    HostileAnswer("an unknown content encoding", .lost) { body in
      answer("200 OK", ["Content-Type: application/json", "Content-Encoding: x-none"], body: body)
    },
    HostileAnswer("a body that exceeds the limit", .tooLarge) { _ in
      raw("HTTP/1.1 200 OK\r\n\(json)\r\n\(String(repeating: " ", count: 300 * 1024))")
    },
    HostileAnswer("chunks that exceed the limit together", .tooLarge) { _ in
      raw(chunked(String(repeating: " ", count: 300 * 1024)) + "0\r\n\r\n")
    },
    HostileAnswer("a body that never ends", .tooLarge, limit: .unusable) { _ in
      raw("HTTP/1.1 200 OK\r\n\(json)\r\n", end: .endless(Array(repeating: 0x20, count: 1 << 16)))
    },
    HostileAnswer("chunks that never end", .tooLarge, limit: .unusable) { _ in
      let chunk = "1000\r\n\(String(repeating: " ", count: 0x1000))\r\n"
      return raw(
        "HTTP/1.1 200 OK\r\n\(json)Transfer-Encoding: chunked\r\n\r\n", end: .endless(Array(chunk.utf8)))
    },
    HostileAnswer("an announced length of terabytes", .tooLarge) { _ in
      answer(body: "{", length: "9999999999999", end: .silence)
    },
    HostileAnswer("26 KB that inflate to 4 MB", .tooLarge) { _ in
      let headers = ["Content-Type: application/json", "Content-Encoding: gzip"]
      return .bytes(http("200 OK", headers, length: "\(GzipBomb.bytes.count)") + GzipBomb.bytes)
    },
  ]

  private static func chunked(_ body: String) -> String {
    "HTTP/1.1 200 OK\r\n\(json)Transfer-Encoding: chunked\r\n\r\n\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n"
  }

  private static let connections = [
    HostileAnswer("no answer, and the connection is closed", .lost) { _ in raw("") },
    HostileAnswer("no answer, and the connection is reset", .lost) { _ in raw("", end: .reset) },
    HostileAnswer("a reset within the body", .lost) { body in
      answer(body: body, length: "1000", end: .reset)
    },
    HostileAnswer("half of a head", .lost, limit: .unusable) { _ in raw("HTTP/1.1 200 OK\r\nContent-") },
    HostileAnswer("half of a head, and the connection is reset", .lost) { _ in
      raw("HTTP/1.1 200 OK\r\nContent-", end: .reset)
    },
    HostileAnswer("silence within the head", .timedOut) { _ in raw("HTTP/1.1 200 OK\r\n", end: .silence) },
    HostileAnswer("interim responses that never end", .malformed, limit: .unusable) { _ in
      raw("", end: .endless(Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8)))
    },
    HostileAnswer("another protocol", .malformed) { _ in raw("SSH-2.0-OpenSSH_9.2\r\n") },
    HostileAnswer("bytes that are no text", .malformed) { _ in .bytes(Array(repeating: 0xFF, count: 100)) },
    HostileAnswer("a header of a megabyte", .malformed, limit: .ends(.lost)) { body in
      answer("200 OK", [json + "X: " + String(repeating: "x", count: 1 << 20)], body: body)
    },
    HostileAnswer("headers that never end", .malformed, limit: .ends(.lost)) { _ in
      raw("HTTP/1.1 200 OK\r\n", end: .endless(Array("X: \(String(repeating: "x", count: 1_000))\r\n".utf8)))
    },
    HostileAnswer("silence", .timedOut) { _ in raw("", end: .silence) },
    HostileAnswer("silence after the head", .timedOut) { body in
      .bytes(http(length: "\(body.utf8.count)"), end: .silence)
    },
    HostileAnswer("a body that arrives byte by byte", .value) { body in
      .bytes(http(length: "\(body.utf8.count)"), end: .slow(Array(body.utf8), pause: .milliseconds(2)))
    },
  ]
}

/// Compressed zeros.
private enum GzipBomb {
  /// 26 KB of gzip that inflate to about 158 times as many zeros.
  ///
  /// One block with the fixed codes of DEFLATE (RFC 1951): a zero, and then copies of the 258 bytes before. A copy takes 13
  /// bits, so the bytes repeat after 13 bytes.
  static let bytes: [UInt8] = {
    var bits = BitWriter(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    bits.append(0b011, count: 3)
    bits.append(reversing: 0b0011_0000, count: 8)
    for _ in 0..<9 {
      bits.append(reversing: 0b1100_0101, count: 8)
      bits.append(0, count: 5)
    }
    let period = bits.bytes.dropFirst(12).prefix(13)
    return Array(bits.bytes.prefix(12)) + repeatElement(period, count: 2_000).joined()
  }()

  /// Writes bits into bytes, beginning with the lowest bit of each byte.
  private struct BitWriter {
    var bytes: [UInt8]
    private var used = 8

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func append(_ value: Int, count: Int) {
      for index in 0..<count {
        if used == 8 {
          bytes.append(0)
          used = 0
        }
        bytes[bytes.count - 1] |= UInt8(value >> index & 1) << used
        used += 1
      }
    }

    /// Appends a code of DEFLATE, whose highest bit comes first.
    mutating func append(reversing value: Int, count: Int) {
      for index in (0..<count).reversed() { append(value >> index & 1, count: 1) }
    }
  }
}
