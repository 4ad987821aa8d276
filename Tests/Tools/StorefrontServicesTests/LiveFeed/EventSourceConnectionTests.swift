import AsyncViewModels
import AsyncViewModelsRequests
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import Testing

@testable import StorefrontServices

/// The rules across the connections of a source, without I/O.
@Suite("Event source connection", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct EventSourceConnectionTests {
  private static func data(
    _ connection: inout EventSourceConnection, _ text: some Sequence<UInt8>
  ) throws(ServiceError) -> [String] {
    var events: [ServerSentEvent] = []
    try connection.receive(text, into: &events)
    return events.map(\.data)
  }

  /// A server that continues after the last event ID, and repeats `overlap` events before it.
  private struct Server {
    let count = 4
    var overlap = 0

    func response(after lastEventID: String?) -> [UInt8] {
      let last = lastEventID.flatMap { Int($0) } ?? 0
      return (1...count).filter { $0 > last - overlap }.flatMap {
        Array("id: \($0)\ndata: \($0)é\r\n\r\n".utf8)
      }
    }
  }

  @Test(
    "two cuts at any bytes lose and repeat no event, also if the server repeats events", arguments: [0, 1, 4])
  func cuts(overlap: Int) throws {
    let server = Server(overlap: overlap)
    let length = server.response(after: nil).count
    for first in 0...length {
      for second in 0...length {
        var connection = EventSourceConnection(EventSourcePolicy())
        var received: [String] = []
        for cut in [first, second, length] {
          connection.begin()
          received += try Self.data(&connection, server.response(after: connection.lastEventID).prefix(cut))
        }
        #expect(received == ["1é", "2é", "3é", "4é"], "\(first), \(second)")
      }
    }
  }

  @Test("an event without its own ID is never taken for a repetition")
  func eventsWithoutID() throws {
    var connection = EventSourceConnection(EventSourcePolicy())
    let text =
      "data: a\n\ndata: a\n\nid: 1\ndata: b\n\ndata: c\n\nid\ndata: d\n\nid\ndata: d\n\n"
    #expect(try Self.data(&connection, text.utf8) == ["a", "a", "b", "c", "d", "d"])
    connection.begin()
    #expect(
      try Self.data(&connection, "data: a\n\nid: 1\ndata: b\n\nid: 2\ndata: e\n\n".utf8) == ["a", "e"])
  }

  @Test("events with the same ID within a response are no repetitions")
  func sameID() throws {
    var connection = EventSourceConnection(EventSourcePolicy())
    connection.begin()
    #expect(try Self.data(&connection, "id: 1\ndata: a\n\nid: 1\ndata: b\n\n".utf8) == ["a", "b"])
    connection.begin()
    let repeated = "id: 1\ndata: a\n\nid: 1\ndata: b\n\nid: 2\ndata: c\n\nid: 1\ndata: d\n\n"
    #expect(try Self.data(&connection, repeated.utf8) == ["c", "d"])
  }

  @Test("the time in `Retry-After` replaces a shorter reconnection time, up to the longest")
  func requestedWait() {
    var connection = EventSourceConnection(EventSourcePolicy(reconnectionTime: .seconds(3)))
    var shortest = Constant(value: 1)
    for (requested, expected) in [(1, 3), (20, 20), (100_000, 60)] {
      connection.begin()
      connection.wait(for: .seconds(requested))
      #expect(connection.delay(using: &shortest) == .seconds(expected))
    }
    connection.begin()
    #expect(connection.delay(using: &shortest) == .seconds(3))
  }

  @Test("IDs with different bytes are different, even if the strings are equal")
  func equalStrings() throws {
    var connection = EventSourceConnection(EventSourcePolicy())
    let text = "id: \u{E9}\ndata: a\n\nid: e\u{301}\ndata: b\n\n"
    #expect(try Self.data(&connection, text.utf8) == ["a", "b"])
  }

  @Test("the number and the length of the IDs in memory are limited")
  func deliveredIDs() {
    var ids = DeliveredIDs()
    func isNew(_ id: String) -> Bool { ids.insert(id) }
    for number in 1...5_000 { #expect(isNew("\(number)")) }
    let oldest = 5_001 - DeliveredIDs.limit
    for number in oldest...5_000 { #expect(!isNew("\(number)")) }
    #expect(isNew("\(oldest - 1)"), "an older ID is forgotten")
    #expect(isNew("\(oldest)"), "the ID before makes room for itself")
    let long = String(repeating: "x", count: DeliveredIDs.lengthLimit / 2)
    for number in 1...4 { #expect(isNew("\(number)\(long)")) }
    #expect(!isNew("4\(long)"))
    #expect(isNew("3\(long)"), "two long IDs exceed the limit")
  }

  @Test(
    "the head decides whether a source continues",
    arguments: [
      (200, "text/event-stream", .stream), (200, "Text/Event-Stream ; charset=utf-8", .stream),
      (200, "text/event-stream;x", .stream), (204, nil, .end), (204, "text/event-stream", .end),
      (
        200, "text/html",
        .fail(.malformed("the content type is text/html instead of text/event-stream"))
      ),
      (
        200, "text/event-streams",
        .fail(.malformed("the content type is text/event-streams instead of text/event-stream"))
      ),
      (200, nil, .fail(.malformed("the content type is missing"))),
    ] as [(Int, String?, EventSourceConnection.Head)])
  func heads(status: Int, contentType: String?, head: EventSourceConnection.Head) {
    #expect(EventSourceConnection.head(status: status, contentType: contentType) == head)
  }

  @Test(
    "only a stream that is not compressed is a stream",
    arguments: [(nil, true), ("", true), ("Identity", true), ("gzip", false), ("gzip, identity", false)]
      as [(String?, Bool)])
  func encodings(encoding: String?, isStream: Bool) {
    let head = EventSourceConnection.head(
      status: 200, contentType: "text/event-stream", contentEncoding: encoding)
    #expect(head == (isStream ? .stream : .fail(.malformed("the stream is compressed"))))
  }

  @Test(
    "408, 429 and 5xx reconnect, and other statuses fail",
    arguments: [201, 206, 304, 400, 401, 404, 408, 429, 500, 503, 599, 600])
  func statuses(status: Int) {
    let head = EventSourceConnection.head(status: status, contentType: "text/event-stream")
    switch head {
    case .reconnect(.status(let code, _)):
      #expect(code == status)
      #expect([408, 429, 500, 503, 599].contains(status))
    case .fail(.status(let code, _)):
      #expect(code == status)
      #expect(![408, 429, 500, 503, 599].contains(status))
    default: #expect(Bool(false), "\(head)")
    }
  }

  @Test("a lost connection reconnects, and an answer that the client must not use does not")
  func errors() {
    let lost: [ServiceError] = [.offline, .unreachable(""), .insecure, .connectionLost, .timedOut]
    #expect(lost.allSatisfy(EventSourceConnection.reconnects(after:)))
    let final: [ServiceError] = [
      .tooLarge(limit: 1), .redirected(to: ""), .status(code: 404, message: ""), .malformed(""),
      .notFound(""),
    ]
    #expect(!final.contains(where: EventSourceConnection.reconnects(after:)))
  }

  /// A generator of the largest or the smallest number.
  private struct Constant: RandomNumberGenerator {
    let value: UInt64
    func next() -> UInt64 { value }
  }

  @Test(
    "each failure doubles the random wait, up to a limit, and a stable stream resets it, but not an event")
  func backOff() throws {
    // `Double.random(in:using:)` would never return with a generator that only returns 0.
    var (shortest, longest) = (Constant(value: 1), Constant(value: .max))
    var connection = EventSourceConnection(
      EventSourcePolicy(
        reconnectionTime: .seconds(3), retry: .exponential(from: .seconds(1), upTo: .seconds(10), jitter: 1)))
    for expected in [1, 2, 4, 8, 10, 10] {
      connection.begin()
      #expect(connection.delay(using: &shortest) == .seconds(3), "full jitter begins at zero")
      let delay = try #require(connection.delay(using: &longest))
      #expect(
        delay <= .seconds(3 + expected) && delay > .seconds(3 + expected) - .milliseconds(1), "\(delay)")
    }
    for (number, data) in ["a", "b", "c"].enumerated() {
      #expect(try Self.data(&connection, "data: \(data)\n\n".utf8) == [data])
      #expect(connection.failures == 6 + number, "a greeting is no success")
      connection.end(afterActivityFor: .seconds(9))
      connection.begin()
    }
    connection.end(afterActivityFor: .seconds(10))
    #expect(connection.failures == 0)
    #expect(connection.delay(using: &longest) == .seconds(3))
  }

  @Test("an attempt without a stream is a failure, also with a stable time of zero")
  func withoutStream() {
    var connection = EventSourceConnection(
      EventSourcePolicy(retry: .constant(.seconds(1), limit: 1, stableTime: .zero)))
    var generator = Constant(value: 1)
    for expected in [Duration.seconds(4), nil] {
      connection.begin()
      connection.end(afterActivityFor: nil)
      #expect(connection.delay(using: &generator) == expected)
    }
    connection.end(afterActivityFor: .zero)
    #expect(connection.delay(using: &generator) == .seconds(3))
  }

  @Test("a source that never retries is not requested again, even after a stable stream")
  func never() {
    var connection = EventSourceConnection(EventSourcePolicy(retry: .never))
    var generator = Constant(value: 1)
    connection.begin()
    #expect(connection.delay(using: &generator) == nil)
    connection.end(afterActivityFor: .seconds(1_000))
    #expect(connection.delay(using: &generator) == nil)
  }

  @Test("the longest times of a policy make a wait that a clock can represent")
  func longestWait() throws {
    let longest = Duration(attoseconds: .max)
    var connection = EventSourceConnection(
      EventSourcePolicy(
        reconnectionTime: longest, reconnectionTimes: .zero...longest, retry: .constant(longest)))
    var generator = Constant(value: 1)
    connection.begin()
    #expect(connection.delay(using: &generator) == .century * 2)
    connection.end(afterActivityFor: longest)
    #expect(connection.delay(using: &generator) == .century)
  }

  @Test("the waits of many sources are spread over the whole range")
  func jitter() throws {
    var connection = EventSourceConnection(
      EventSourcePolicy(
        reconnectionTime: .seconds(3), retry: .exponential(from: .seconds(8), upTo: .seconds(60), jitter: 1)))
    connection.begin()
    var generator = SplitMix64(seed: 1)
    let waits = try (0..<1_000).map { _ in try #require(connection.delay(using: &generator)) - .seconds(3) }
    for second in 0..<8 {
      let count = waits.count { $0 >= .seconds(second) && $0 < .seconds(second + 1) }
      #expect((80...170).contains(count), "\(count) waits of \(second) to \(second + 1) s")
    }
  }

  @Test(
    "the server sets the reconnection time, within the limits of the policy",
    arguments: [(5_000, 5_000), (0, 100), (99_999_999, 60_000)])
  func retry(milliseconds: Int, limited: Int) throws {
    var connection = EventSourceConnection(EventSourcePolicy())
    connection.begin()
    #expect(try Self.data(&connection, "retry: \(milliseconds)\ndata: a\n\n".utf8) == ["a"])
    var generator = Constant(value: .max)
    connection.end(afterActivityFor: .seconds(10))
    #expect(connection.delay(using: &generator) == .milliseconds(limited))
    connection.begin()
    #expect(try Self.data(&connection, "data: b\n\n".utf8) == ["b"])
    connection.end(afterActivityFor: .seconds(10))
    #expect(connection.delay(using: &generator) == .milliseconds(limited), "the next connection keeps it")
  }

  @Test("an endless line and an endless event are errors, after the events before them")
  func limits() {
    let limits = ServerSentEventParser.Limits(lineLength: 20, dataLength: 20, silentLength: 60)
    for (text, reason) in [
      (": \(String(repeating: "x", count: 20))", "a line has more than 20 bytes"),
      (String(repeating: "data: 123456789\n", count: 3), "the data of an event has more than 20 bytes"),
      (String(repeating: ": x\n\n", count: 13), "more than 60 bytes contain no event"),
    ] {
      var connection = EventSourceConnection(EventSourcePolicy(limits: limits))
      var events: [ServerSentEvent] = []
      #expect(throws: ServiceError.malformed(reason)) {
        try connection.receive("data: a\n\n\(text)".utf8, into: &events)
      }
      #expect(events.map(\.data) == ["a"])
    }
  }
}
