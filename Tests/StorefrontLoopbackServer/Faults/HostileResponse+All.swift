import StorefrontServices

extension HostileResponse {
  /// The bytes of a response.
  ///
  /// - Parameter length: The announced length of the body, or `nil` to announce its real length.
  private static func http(
    _ status: String = "200 OK", _ headers: [String] = [json], body: String = "", length: String? = nil
  ) -> [UInt8] {
    let headers = headers + ["Content-Length: \(length ?? "\(body.utf8.count)")"]
    return Array("HTTP/1.1 \(status)\r\n\(headers.joined(separator: "\r\n"))\r\n\r\n\(body)".utf8)
  }

  private static func answer(
    _ status: String = "200 OK", _ headers: [String] = [json], body: String = "", length: String? = nil,
    end: LoopbackFault.End = .close
  ) -> LoopbackFault {
    .bytes(http(status, headers, body: body, length: length), end: end)
  }

  private static func raw(_ text: String, end: LoopbackFault.End = .close) -> LoopbackFault {
    .bytes(Array(text.utf8), end: end)
  }

  private static let json = "Content-Type: application/json"
  private static let html = ["Content-Type: text/html"]
  private static let page = "<html><body>Please log in.</body></html>"

  /// All responses of this type, in groups: redirections, passwords, other services, bodies, framing and connections.
  public static let all = redirections + passwords + strangers + bodies + framings + connections

  private static let redirections =
    [301, 302, 303, 307, 308].map { status in
      HostileResponse("\(status) to the same host", read: .value, write: .redirected) { _ in
        answer("\(status) Moved", ["Location: /profile"], end: .next)
      }
    } + [
      HostileResponse("302 to another host", .redirected) { _ in
        answer("302 Found", ["Location: http://localhost.example/profile"])
      },
      HostileResponse("302 to another port", .redirected) { _ in
        answer("302 Found", ["Location: http://127.0.0.1:1/profile"])
      },
      HostileResponse("302 to a file", .redirected) { _ in
        answer("302 Found", ["Location: file:///etc/passwd"])
      },
      HostileResponse("302 to a host with a slash in its name", .redirected, limit: .unusable) { _ in
        answer("302 Found", ["Location: //a%2Fb/x"])
      },
      HostileResponse("302 to another address", .redirected, limit: .unusable) { _ in
        answer("302 Found", ["Location: //[::1]/x"])
      },
      HostileResponse("302 with a body that never ends", .redirected, limit: .unusable) { _ in
        raw(
          "HTTP/1.1 302 Found\r\nLocation: http://localhost.example/profile\r\n\r\n",
          end: .endless(Array(repeating: 0x20, count: 1 << 16)))
      },
      HostileResponse("302 without a location", .status(302)) { _ in answer("302 Found", []) },
      HostileResponse("302 with an empty location", .status(302)) { _ in answer("302 Found", ["Location:"]) },
      HostileResponse("304 without a condition in the request", .status(304)) { _ in
        raw("HTTP/1.1 304 Not Modified\r\n\r\n")
      },
    ]

  private static let passwords =
    ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\"", "Bearer", "Negotiate", "NTLM"].map { scheme in
      HostileResponse("401 that asks for \(scheme.prefix { $0 != " " })", .status(401)) { _ in
        answer("401 Unauthorized", ["WWW-Authenticate: \(scheme)"])
      }
    } + [
      HostileResponse("401 without a challenge", .status(401)) { _ in answer("401 Unauthorized", []) },
      HostileResponse("407 of a proxy", .status(407)) { _ in
        answer("407 Proxy Authentication Required", ["Proxy-Authenticate: Basic realm=\"x\""])
      },
    ]

  private static func problem(_ problem: IdempotencyProblem, _ name: String, write: Ending) -> HostileResponse
  {
    HostileResponse(name, read: .status(problem.status), write: write) { _ in
      .bytes(HTTPResponse.problem(problem).encoded(keepsAlive: false))
    }
  }

  private static let strangers = [
    HostileResponse("a login page", .malformed) { _ in answer("200 OK", html, body: page) },
    HostileResponse("a login page without a content type", .malformed) { _ in answer("200 OK", [], body: page)
    },
    HostileResponse("a login page that claims to be JSON", .malformed) { _ in answer(body: page) },
    HostileResponse("the right body as plain text", .malformed) { body in
      answer("200 OK", ["Content-Type: text/plain"], body: body)
    },
    HostileResponse("the right body as JSON with a character set", .value) { body in
      answer("200 OK", ["Content-Type: Application/JSON ; charset=utf-8"], body: body)
    },
    HostileResponse("an HTML 404", .status(404)) { _ in answer("404 Not Found", html, body: page) },
    HostileResponse("a 404 in another JSON format", .status(404)) { _ in
      answer("404 Not Found", body: #"{"message":"no route"}"#)
    },
    HostileResponse("an HTML 409", .status(409)) { _ in answer("409 Conflict", html, body: page) },
    problem(.inProgress, "a 409 for a write that is still in progress", write: .stillInProgress),
    problem(.reused, "a 422 for a key that another write had", write: .keyReused),
    HostileResponse("an HTML 502", .status(502)) { _ in answer("502 Bad Gateway", html, body: page) },
    HostileResponse("a 503 with a body that never ends", .status(503), limit: .unusable) { _ in
      raw(
        "HTTP/1.1 503 Service Unavailable\r\n\(json)\r\n\r\n",
        end: .endless(Array(repeating: 0x20, count: 1 << 16)))
    },
    HostileResponse("a 401 with a body that exceeds the limit", .status(401)) { _ in
      answer("401 Unauthorized", html, body: String(repeating: " ", count: 300 * 1024))
    },
    HostileResponse("an error with the status 200", .malformed) { _ in answer(body: #"{"error":"no"}"#) },
    HostileResponse("the right body as a problem", .malformed) { body in
      answer("200 OK", ["Content-Type: application/problem+json"], body: body)
    },
    HostileResponse("202 instead of 200", .malformed) { body in answer("202 Accepted", body: body) },
    HostileResponse("204 without a body", .malformed) { _ in raw("HTTP/1.1 204 No Content\r\n\r\n") },
    HostileResponse("206 with the whole body", .malformed) { body in answer("206 Partial Content", body: body)
    },
    HostileResponse("the status 299", .malformed) { body in answer("299 Strange", body: body) },
    HostileResponse("the status 600", .status(600)) { _ in answer("600 Strange", []) },
  ]

  private static let bodies =
    [
      ("nothing", ""), ("null", "null"), ("an array", "[]"), ("a number", "1e999"),
      ("a string", #""x""#),
      ("half of an object", #"{"id":1,"#), ("two values", "{}{}"), ("a NUL", "\0"),
      ("an object without the fields", "{}"), ("deep nesting", String(repeating: "[", count: 100_000)),
      ("a fraction for a whole number", #"{"id":1.5,"product":1.5,"quantity":1}"#),
      (
        "a number above 64 bits",
        #"{"id":99999999999999999999,"product":99999999999999999999,"quantity":1}"#
      ),
      ("a text for a number", #"{"id":"1","product":"1","quantity":1}"#),
      ("an object with another id", #"{"id":0,"product":2,"quantity":1}"#),
    ].map { name, body in HostileResponse("\(name) as the body", .malformed) { _ in answer(body: body) } } + [
      HostileResponse("invalid UTF-8 as the body", .malformed) { _ in
        .bytes(http(length: "4") + [0x22, 0xC3, 0x28, 0x22])
      }
    ]

  private static let framings = [
    HostileResponse("HTTP/1.0", .value) { body in raw("HTTP/1.0 200 OK\r\n\(json)\r\n\r\n\(body)") },
    HostileResponse("a body that ends with the connection", .value) { body in
      raw("HTTP/1.1 200 OK\r\n\(json)\r\nConnection: close\r\n\r\n\(body)")
    },
    HostileResponse("lines that end without a carriage return", .value, limit: .ends(.connectionLost)) {
      body in
      raw("HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: \(body.utf8.count)\n\n\(body)")
    },
    HostileResponse("an interim response first", .value) { body in
      .bytes(Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8) + http(body: body))
    },
    HostileResponse("a body in chunks", .value) { body in raw(chunked(body) + "0\r\n\r\n") },
    HostileResponse("a body in chunks with a trailer field", .value, limit: .unusable) { body in
      raw(chunked(body) + "0\r\nX: y\r\n\r\n")
    },
    HostileResponse("trailer fields that never end", .malformed, limit: .unusable) { body in
      raw(chunked(body) + "0\r\n", end: .endless(Array("X: y\r\n".utf8)))
    },
    HostileResponse("chunks that are cut off", .connectionLost) { body in raw(chunked(body)) },
    HostileResponse("chunks with a wrong length", .connectionLost) { _ in
      raw("HTTP/1.1 200 OK\r\n\(json)\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n")
    },
    HostileResponse("a body longer than announced", .value) { body in
      .bytes(http(body: body) + Array("HTTP/1.1 500 Late\r\n\r\n".utf8))
    },
    HostileResponse("a body shorter than announced", .connectionLost) { body in
      answer(body: body, length: "1000")
    },
    HostileResponse("a body of which only half is announced", .malformed) { body in
      answer(body: body, length: "\(body.utf8.count / 2)")
    },
    HostileResponse("a body with two lengths", .malformed, limit: .ends(.value)) { body in
      answer("200 OK", [json, "Content-Length: 0"], body: body)
    },
    HostileResponse("a body whose length has a sign", .malformed, limit: .ends(.value)) { body in
      answer(body: body, length: "+\(body.utf8.count)")
    },
    HostileResponse("a body whose length is no number", .malformed, limit: .ends(.value)) { body in
      answer(body: body, length: "\(body.utf8.count)abc")
    },
    HostileResponse("a body whose length exceeds 64 bits", .malformed, limit: .ends(.timedOut)) { body in
      answer(body: body, length: "99999999999999999999", end: .silence)
    },
    HostileResponse("a body with a length and in chunks", .malformed, limit: .ends(.connectionLost)) { body in
      answer("200 OK", [json, "Transfer-Encoding: chunked"], body: body)
    },
    HostileResponse(
      "a body with a length and in chunks, and a field like a status line", .malformed,
      limit: .ends(.connectionLost)
    ) { body in
      let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nHTTP/x: y\r\n"
      return raw(chunked(body).replacing("HTTP/1.1 200 OK\r\n", with: head) + "0\r\n\r\n")
    },
    HostileResponse("a body that is not the announced gzip", .malformed, limit: .ends(.connectionLost)) {
      body in
      answer("200 OK", [json, "Content-Encoding: gzip"], body: body)
    },
    HostileResponse("a body that is compressed twice", .malformed, limit: .ends(.connectionLost)) { body in
      answer("200 OK", [json, "Content-Encoding: gzip, gzip"], body: body)
    },
    HostileResponse("a body with an encoding for the transfer", .malformed, limit: .ends(.connectionLost)) {
      body in
      raw("HTTP/1.1 200 OK\r\n\(json)\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
    },
    HostileResponse("an unknown content encoding", .malformed, limit: .ends(.connectionLost)) { body in
      answer("200 OK", [json, "Content-Encoding: x-none"], body: body)
    },
    HostileResponse("a body that exceeds the limit", .tooLarge) { _ in
      raw("HTTP/1.1 200 OK\r\n\(json)\r\n\r\n\(String(repeating: " ", count: 300 * 1024))")
    },
    HostileResponse("chunks that exceed the limit together", .tooLarge) { _ in
      raw(chunked(String(repeating: " ", count: 300 * 1024)) + "0\r\n\r\n")
    },
    HostileResponse("a body that never ends", .tooLarge, limit: .unusable) { _ in
      raw("HTTP/1.1 200 OK\r\n\(json)\r\n\r\n", end: .endless(Array(repeating: 0x20, count: 1 << 16)))
    },
    HostileResponse("chunks that never end", .tooLarge, limit: .unusable) { _ in
      let chunk = "1000\r\n\(String(repeating: " ", count: 0x1000))\r\n"
      return raw(
        "HTTP/1.1 200 OK\r\n\(json)\r\nTransfer-Encoding: chunked\r\n\r\n", end: .endless(Array(chunk.utf8)))
    },
    HostileResponse("an announced length of terabytes", .tooLarge) { _ in
      answer(body: "{", length: "9999999999999", end: .silence)
    },
    HostileResponse("26 KB that inflate to 4 MB", .tooLarge) { _ in
      let headers = [json, "Content-Encoding: gzip"]
      return .bytes(http("200 OK", headers, length: "\(CompressedZeros.bytes.count)") + CompressedZeros.bytes)
    },
  ]

  private static func chunked(_ body: String) -> String {
    "HTTP/1.1 200 OK\r\n\(json)\r\nTransfer-Encoding: chunked\r\n\r\n\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n"
  }

  private static let connections = [
    HostileResponse("no answer, and the connection is closed", .connectionLost) { _ in raw("") },
    HostileResponse("no answer, and the connection is reset", .connectionLost) { _ in raw("", end: .reset) },
    HostileResponse("a reset within the body", .connectionLost) { body in
      answer(body: body, length: "1000", end: .reset)
    },
    HostileResponse("half of a head", .connectionLost, limit: .unusable) { _ in
      raw("HTTP/1.1 200 OK\r\nContent-")
    },
    HostileResponse("half of a head, and the connection is reset", .connectionLost, limit: .unusable) { _ in
      raw("HTTP/1.1 200 OK\r\nContent-", end: .reset)
    },
    HostileResponse("silence within the head", .timedOut) { _ in raw("HTTP/1.1 200 OK\r\n", end: .silence) },
    HostileResponse("interim responses that never end", .malformed, limit: .unusable) { _ in
      raw("", end: .endless(Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8)))
    },
    HostileResponse("101 and a body", .status(101)) { body in
      raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\(json)\r\n\r\n\(body)")
    },
    HostileResponse("another protocol", .malformed) { _ in raw("SSH-2.0-OpenSSH_9.2\r\n") },
    HostileResponse("bytes that are no text", .malformed) { _ in .bytes(Array(repeating: 0xFF, count: 100)) },
    HostileResponse("a header of a megabyte", .malformed, limit: .ends(.connectionLost)) { body in
      answer("200 OK", [json, "X: " + String(repeating: "x", count: 1 << 20)], body: body)
    },
    HostileResponse("headers that never end", .malformed, limit: .ends(.connectionLost)) { _ in
      raw("HTTP/1.1 200 OK\r\n", end: .endless(Array("X: \(String(repeating: "x", count: 1_000))\r\n".utf8)))
    },
    HostileResponse("silence", .timedOut) { _ in raw("", end: .silence) },
    HostileResponse("silence after the head", .timedOut) { body in
      .bytes(http(length: "\(body.utf8.count)"), end: .silence)
    },
    HostileResponse("a body that arrives byte by byte", .value) { body in
      .bytes(http(length: "\(body.utf8.count)"), end: .slow(Array(body.utf8), pause: .milliseconds(2)))
    },
  ]
}
