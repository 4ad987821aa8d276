/// Parses the bytes of a `text/event-stream`, in pieces of any size.
///
/// The rules are those of the WHATWG HTML standard, sections 9.2.5 ("Parsing an event stream") and
/// 9.2.6 ("Interpreting an event stream"). A piece may end anywhere, also within a character or a
/// line end. An incomplete event at the end of the stream is never reported. A stream can begin
/// with the last event ID of an earlier one: an event without an `id` field keeps it.
///
/// - Complexity: O(bytes). The memory is limited by ``Limits``.
struct ServerSentEventParser: Sendable {
  /// How long the parts of a stream may be.
  struct Limits: Sendable, Equatable {
    /// The most bytes of a line, without its line end.
    var lineLength: Int
    /// The most bytes of the data of an event, with a line feed after each `data` field.
    var dataLength: Int
    /// The most bytes between two events: months of comments, at one every 15 seconds.
    var silentLength: Int

    init(lineLength: Int = 64 << 10, dataLength: Int = 1 << 20, silentLength: Int = 16 << 20) {
      precondition(lineLength >= 1, "ServerSentEventParser: the line length must be at least 1")
      precondition(dataLength >= 1, "ServerSentEventParser: the data length must be at least 1")
      precondition(silentLength >= 1, "ServerSentEventParser: the silent length must be at least 1")
      self.lineLength = lineLength
      self.dataLength = dataLength
      self.silentLength = silentLength
    }
  }

  /// The ID to send if the stream must be requested again. Empty if there is none.
  ///
  /// An `id` field takes effect at the end of its event, even if the event has no data.
  private(set) var lastEventID: String
  /// The last valid `retry` field in milliseconds, limited to `Int.max`.
  private(set) var reconnectionMilliseconds: Int?

  private let limits: Limits
  private var silentLength = 0
  private var line: [UInt8] = []
  private var isFirstLine = true
  /// Whether the last byte was a carriage return, whose line end a line feed can continue.
  private var endsWithCarriageReturn = false
  private var type: [UInt8] = []
  private var data: [UInt8] = []
  private var id: String?
  private var failure: ServerSentEventError?

  init(lastEventID: String = "", limits: Limits = Limits()) {
    self.lastEventID = lastEventID
    self.limits = limits
  }

  /// Parses the next bytes of the stream and appends the events that they complete to `events`.
  ///
  /// - Throws: ``ServerSentEventError`` at the first byte that exceeds a limit, after the events
  ///   before it, and in every later call.
  mutating func parse(
    _ bytes: some Sequence<UInt8>, into events: inout [ServerSentEvent]
  ) throws(ServerSentEventError) {
    if let failure { throw failure }
    do throws(ServerSentEventError) {
      for byte in bytes {
        let follows = endsWithCarriageReturn
        endsWithCarriageReturn = byte == UInt8(ascii: "\r")
        guard silentLength < limits.silentLength else { throw .noEvent(limit: limits.silentLength) }
        silentLength += 1
        switch byte {
        case UInt8(ascii: "\n") where follows: break
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
          if let event = try endLine() {
            events.append(event)
            silentLength = 0
          }
        default:
          guard line.count < limits.lineLength else { throw .lineTooLong(limit: limits.lineLength) }
          line.append(byte)
        }
      }
    } catch {
      fail(error)
      throw error
    }
  }

  /// Releases the memory of the incomplete event, and keeps the error for later calls.
  private mutating func fail(_ error: ServerSentEventError) {
    failure = error
    (line, type, data, id) = ([], [], [], nil)
  }

  private mutating func endLine() throws(ServerSentEventError) -> ServerSentEvent? {
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    }
    defer { line.removeAll(keepingCapacity: true) }
    if line.isEmpty { return endEvent() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    try process(line[..<colon], value)
    return nil
  }

  /// Applies one field. A comment has an empty name, which is ignored like every unknown name.
  private mutating func process(
    _ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>
  ) throws(ServerSentEventError) {
    if name.elementsEqual("data".utf8) {
      guard value.count < limits.dataLength - data.count else {
        throw .dataTooLong(limit: limits.dataLength)
      }
      data += value
      data.append(UInt8(ascii: "\n"))
    } else if name.elementsEqual("event".utf8) {
      type = Array(value)
    } else if name.elementsEqual("id".utf8) {
      if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    } else if name.elementsEqual("retry".utf8) {
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard !value.isEmpty, value.allSatisfy(digits.contains) else { return }
      // Digits that overflow are a number above every limit.
      reconnectionMilliseconds = Int(String(decoding: value, as: UTF8.self)) ?? .max
    }
  }

  /// Ends an event at its empty line. Returns `nil` if it has no `data` field.
  private mutating func endEvent() -> ServerSentEvent? {
    if let id { lastEventID = id }
    defer {
      type.removeAll(keepingCapacity: true)
      data.removeAll(keepingCapacity: true)
      id = nil
    }
    guard !data.isEmpty else { return nil }
    return ServerSentEvent(
      type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
      data: String(decoding: data.dropLast(), as: UTF8.self), id: id, lastEventID: lastEventID)
  }
}
