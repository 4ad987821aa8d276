import AsyncViewModelsTesting
import Testing

@testable import StorefrontServices

/// The rules of the WHATWG HTML standard for event streams.
@Suite("Server-sent event parser", .timeLimit(.minutes(5)), .endsWaits)
struct ServerSentEventParserTests {
  private static func events(
    _ pieces: [[UInt8]], limits: ServerSentEventParser.Limits = .init()
  ) throws(ServerSentEventError) -> [ServerSentEvent] {
    var parser = ServerSentEventParser(limits: limits)
    var events: [ServerSentEvent] = []
    for piece in pieces { try parser.parse(piece, into: &events) }
    return events
  }

  private static func events(_ text: String) throws -> [ServerSentEvent] { try events([Array(text.utf8)]) }

  @Test(
    "data is joined with line feeds, and one space after the colon is removed",
    arguments: [
      ("data: a\n\n", ["a"]), ("data:a\n\n", ["a"]), ("data:  a \n\n", [" a "]), ("data:\ta\n\n", ["\ta"]),
      ("data: a\ndata: b\n\n", ["a\nb"]), ("data\n\n", [""]), ("data:\n\n", [""]), ("data: \n\n", [""]),
      ("data\ndata\n\n", ["\n"]), ("data: a:b: c\n\n", ["a:b: c"]), ("data: a\n\ndata: b\n\n", ["a", "b"]),
      ("data: a\n\n\n\n\ndata: b\n\n", ["a", "b"]), ("data: \u{0}\n\n", ["\u{0}"]),
      ("data: \u{FEFF}\n\n", ["\u{FEFF}"]),
    ])
  func data(text: String, data: [String]) throws {
    #expect(try Self.events(text).map(\.data) == data)
  }

  @Test(
    "a line ends with a line feed, a carriage return, or both",
    arguments: [
      "data: a\r\ndata: b\r\n\r\n", "data: a\rdata: b\r\r", "data: a\ndata: b\n\n",
      "data: a\r\ndata: b\n\r\n",
      "data: a\rdata: b\n\r\n", "data: a\ndata: b\r\r\n", "data: a\r\ndata: b\r\r",
    ])
  func lineEnds(text: String) throws {
    #expect(try Self.events(text).map(\.data) == ["a\nb"])
  }

  @Test("a carriage return ends a line at once, before the next byte arrives")
  func carriageReturnAtTheEnd() throws {
    var parser = ServerSentEventParser()
    var events: [ServerSentEvent] = []
    try parser.parse("data: a\r\r".utf8, into: &events)
    #expect(events.map(\.data) == ["a"])
    try parser.parse("\ndata: b\n\n".utf8, into: &events)
    #expect(events.map(\.data) == ["a", "b"])
  }

  @Test(
    "lines that are not an event are ignored",
    arguments: [
      "", "\n", "\n\n\n", ":\n\n", ": comment\n\n", "event: a\n\n", "id: 1\n\n", "retry: 1\n\n", "data: a",
      "data: a\n",
      "data: a\r", "data: a\r\n", "Data: a\n\n", " data: a\n\n", "datax: a\n\n", "dat: a\n\n", "data : a\n\n",
      "{\"data\": 1}\n\n", ":data: a\n\n", "event: a\n\ndata: a",
    ])
  func nothing(text: String) throws {
    #expect(try Self.events(text).isEmpty)
  }

  @Test("a comment or an unknown field does not end or change an event")
  func comments() throws {
    #expect(try Self.events("data: a\n: comment\nunknown: x\n:\ndata: b\n\n").map(\.data) == ["a\nb"])
  }

  @Test("the last `event` field is the type of its event only")
  func types() throws {
    let text = "event: x\nevent: y\ndata: a\n\ndata: b\n\nevent: z\n\ndata: c\n\nevent: z\nevent\ndata: d\n\n"
    #expect(try Self.events(text).map(\.type) == ["y", "message", "message", "message"])
  }

  @Test(
    "an ID stays until it is replaced or reset, also by an event without data, but not if it contains a NUL")
  func ids() throws {
    let text =
      "id: 1\ndata: a\n\ndata: b\n\nid: 2\n\ndata: c\n\nid: 3\u{0}\ndata: d\n\nid: 4\nid: 5\ndata: e\n\nid\ndata: f\n\n"
    let events = try Self.events(text)
    #expect(events.map(\.lastEventID) == ["1", "1", "2", "2", "5", ""])
    #expect(events.map(\.id) == ["1", nil, nil, nil, "5", ""])
  }

  @Test("the ID of an event takes effect at the end of the event")
  func lastEventID() throws {
    var parser = ServerSentEventParser(lastEventID: "old")
    var events: [ServerSentEvent] = []
    try parser.parse("data: a\n\nid: new\ndata: b\n".utf8, into: &events)
    #expect(parser.lastEventID == "old")
    #expect(events.map(\.lastEventID) == ["old"])
    try parser.parse("\n".utf8, into: &events)
    #expect(parser.lastEventID == "new")
  }

  @Test(
    "only a number of ASCII digits is a reconnection time",
    arguments: [
      ("retry: 1500\n", 1_500), ("retry:0\n", 0), ("retry: 007\n", 7), ("retry: 1\nretry: 2\n", 2),
      ("retry: 99999999999999999999\n", .max), ("retry\n", nil), ("retry:\n", nil), ("retry: -1\n", nil),
      ("retry: +1\n", nil), ("retry: 1 \n", nil), ("retry:  1\n", nil), ("retry: 1.5\n", nil),
      ("retry: 0x1\n", nil),
      ("retry: \u{0661}\n", nil), ("retry: 5\nretry: x\n", 5), ("retry: 5", nil),
    ] as [(String, Int?)])
  func retry(text: String, milliseconds: Int?) throws {
    var parser = ServerSentEventParser()
    var events: [ServerSentEvent] = []
    try parser.parse(text.utf8, into: &events)
    #expect(parser.reconnectionMilliseconds == milliseconds)
  }

  @Test("one byte order mark at the start is removed")
  func byteOrderMark() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let event = Array("data: a\n\n".utf8)
    #expect(try Self.events([mark + event]).map(\.data) == ["a"])
    #expect(try Self.events([[0xEF], [0xBB], [0xBF] + event]).map(\.data) == ["a"])
    #expect(try Self.events([mark + mark + event]).isEmpty, "the second mark is part of the name")
    #expect(try Self.events([event + mark + event]).map(\.data) == ["a"])
    #expect(try Self.events([mark + Array("\n".utf8) + mark + event]).isEmpty)
    #expect(try Self.events([[0xEF, 0xBB] + event]).isEmpty)
  }

  @Test(
    "invalid UTF-8 is decoded with replacement characters",
    arguments: [
      ([0xFF], "\u{FFFD}"), ([0x61, 0xC3], "a\u{FFFD}"), ([0xE2, 0x82], "\u{FFFD}"),
      ([0xE2, 0x82, 0x61], "\u{FFFD}a"),
      ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xF0, 0x9F, 0xA5, 0xA3], "🥣"), ([0xF0, 0x9F, 0xA5], "\u{FFFD}"),
    ] as [([UInt8], String)])
  func invalidUTF8(bytes: [UInt8], text: String) throws {
    let events = try Self.events([Array("data: ".utf8) + bytes + Array("\n\n".utf8)])
    #expect(events.map(\.data) == [text])
  }

  @Test("a line of the limit is accepted, and a longer line is an error after the events before it")
  func lineLimit() throws {
    let limits = ServerSentEventParser.Limits(lineLength: 8)
    #expect(try Self.events([Array("data: 12\r\n\r\n".utf8)], limits: limits).map(\.data) == ["12"])
    var parser = ServerSentEventParser(limits: limits)
    var events: [ServerSentEvent] = []
    #expect(throws: ServerSentEventError.lineTooLong(limit: 8)) {
      try parser.parse("data: 1\n\n:2345678901".utf8, into: &events)
    }
    #expect(events.map(\.data) == ["1"])
    #expect(throws: ServerSentEventError.lineTooLong(limit: 8), "the parser does not continue") {
      try parser.parse("\n\ndata: 2\n\n".utf8, into: &events)
    }
    #expect(events.count == 1)
  }

  @Test("data of the limit is accepted, and longer data is an error, also if it consists of empty lines")
  func dataLimit() throws {
    let limits = ServerSentEventParser.Limits(dataLength: 6)
    #expect(try Self.events([Array("data: ab\ndata: cd\n\n".utf8)], limits: limits).map(\.data) == ["ab\ncd"])
    #expect(throws: ServerSentEventError.dataTooLong(limit: 6)) {
      try Self.events([Array("data: ab\ndata: cde\n".utf8)], limits: limits)
    }
    #expect(throws: ServerSentEventError.dataTooLong(limit: 6)) {
      try Self.events([Array(repeatElement(Array("data\n".utf8), count: 7).joined())], limits: limits)
    }
    #expect("\(ServerSentEventError.lineTooLong(limit: 8))" == "a line has more than 8 bytes")
    #expect("\(ServerSentEventError.dataTooLong(limit: 8))" == "the data of an event has more than 8 bytes")
  }

  @Test("splitting a stream at every pair of places changes nothing")
  func everySplit() throws {
    let bytes =
      [0xEF, 0xBB, 0xBF]
      + Array(
        "id: 1\r\ndata: 🥣\r\n\r\n: x\rretry: 7\revent: e\rdata\rdata: é\r\r\ndata: \u{FEFF}\n\nid: 2\n\n".utf8
      )
    let whole = try Self.events([bytes])
    #expect(whole.map(\.data) == ["🥣", "\né", "\u{FEFF}"])
    #expect(try Self.events(bytes.map { [$0] }) == whole)
    for first in bytes.indices {
      for second in first..<bytes.count {
        let pieces = [Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
        #expect(try Self.events(pieces) == whole, "\(first), \(second)")
      }
    }
  }

  @Test("random streams in random pieces are parsed like the whole text by a simple implementation")
  func random() throws {
    for seed in 0..<3_000 {
      var generator = SplitMix64(seed: UInt64(seed))
      let bytes = RandomEventStream.bytes(using: &generator)
      var parser = ServerSentEventParser()
      var events: [ServerSentEvent] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(generator.next(in: 0...7))
        rest = rest.dropFirst(piece.count)
        try parser.parse(piece, into: &events)
      }
      var whole = ServerSentEventParser()
      var eventsOfWhole: [ServerSentEvent] = []
      try whole.parse(bytes, into: &eventsOfWhole)
      #expect(events == eventsOfWhole, "seed \(seed)")
      let reference = ReferenceEventStream(bytes)
      #expect(events == reference.events, "seed \(seed)")
      #expect(parser.lastEventID == reference.lastEventID, "seed \(seed)")
      #expect(parser.reconnectionMilliseconds == reference.retry, "seed \(seed)")
    }
  }
}
