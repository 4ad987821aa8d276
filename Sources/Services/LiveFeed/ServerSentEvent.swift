/// One event of a `text/event-stream`.
struct ServerSentEvent: Sendable, Equatable {
  /// The last `event` field, or `message`.
  let type: String
  /// The `data` fields, joined with line feeds.
  let data: String
  /// The event's own valid `id` field.
  let id: String?
  /// The last event ID of the stream at the end of the event.
  let lastEventID: String

  init(type: String = "message", data: String, id: String? = nil, lastEventID: String = "") {
    self.type = type
    self.data = data
    self.id = id
    self.lastEventID = lastEventID
  }
}

/// The limit that a stream exceeds.
enum ServerSentEventError: Error, Equatable {
  /// A line has more bytes, without its line end.
  case lineTooLong(limit: Int)
  /// The data of an event has more bytes, with a line feed after each `data` field.
  case dataTooLong(limit: Int)
  /// More bytes have arrived since the last event.
  case noEvent(limit: Int)
}

extension ServerSentEventError: CustomStringConvertible {
  var description: String {
    switch self {
    case .lineTooLong(let limit): "a line has more than \(limit) bytes"
    case .dataTooLong(let limit): "the data of an event has more than \(limit) bytes"
    case .noEvent(let limit): "more than \(limit) bytes contain no event"
    }
  }
}
