import AsyncViewModelsRequests
import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The rules of a source of server-sent events across all its connections, as a value without I/O.
///
/// | Topic | Rule |
/// | --- | --- |
/// | Status 200, `text/event-stream`, not compressed | The response is the stream. |
/// | Status 204 | The source ends, and is not requested again. |
/// | Status 408, 429 or 5xx, lost or silent connection, end of the stream | The source is requested again. |
/// | Other status or content type, no HTTP, a line or an event that is too long | The source fails. |
/// | Wait | The reconnection time or that of `Retry-After`, whichever is longer, and after a failure a random time in addition. |
/// | Failure | An attempt without a stream, or whose stream was not active for the stable time. A server that greets and dies makes the wait longer. |
/// | Limit | After this number of failures in a row, the source is requested for the last time. With a limit of zero, it is requested once. |
/// | Repeated event | Dropped before the first new ID of a response, if its ID is among the last IDs, up to ``DeliveredIDs/limit``. |
///
/// Even if connections break at any byte, every event is delivered once and in order, if:
///
/// - Each event has its own ID, which the server never uses again, not even after a restart.
/// - The response to a request with `Last-Event-ID` contains the events after that ID, in order.
///   Before them, it may repeat events that are among the last ``DeliveredIDs/limit``.
/// - The response to any other request contains all events that the client must not miss.
///
/// Near a broken connection, an event without its own ID can be lost or delivered twice.
struct EventSourceConnection: Sendable {
  /// The meaning of a response, according to its head.
  enum Head: Equatable {
    case stream, end
    case reconnect(ServiceError)
    case fail(ServiceError)
  }

  private let policy: EventSourcePolicy
  private var reconnectionTime: Duration
  private var parser: ServerSentEventParser
  private var delivered = DeliveredIDs()
  /// Whether the response has only repeated IDs so far.
  private var mayRepeat = false
  private var requestedWait = Duration.zero
  /// The number of attempts since the last stream that was active for the stable time.
  private(set) var failures = 0

  init(_ policy: EventSourcePolicy) {
    self.policy = policy
    reconnectionTime = policy.reconnectionTime
    parser = ServerSentEventParser(limits: policy.limits)
  }

  /// The value of the next request's `Last-Event-ID` field, if it has one.
  var lastEventID: String? { parser.lastEventID.isEmpty ? nil : parser.lastEventID }

  mutating func begin() {
    failures += 1
    requestedWait = .zero
    discardIncompleteEvent()
  }

  /// Ends an attempt.
  ///
  /// A server that keeps a stream open for the stable time works, even without an event. A first
  /// event proves nothing: the server may die after each greeting.
  ///
  /// - Parameter time: How long the stream was active, from its head to its last byte. `nil` if
  ///   there was no stream.
  mutating func end(afterActivityFor time: Duration?) {
    if let time, time >= policy.retry.stableTime { failures = 0 }
  }

  /// Discards what the previous response has left, before the first byte of the next one.
  mutating func discardIncompleteEvent() {
    parser = ServerSentEventParser(lastEventID: parser.lastEventID, limits: policy.limits)
    mayRepeat = true
  }

  /// Keeps the time of `Retry-After`, up to the longest reconnection time.
  mutating func wait(for requested: Duration) {
    requestedWait = min(requested, policy.reconnectionTimes.upperBound)
  }

  static func head(status: Int, contentType: String?, contentEncoding: String? = nil) -> Head {
    let problem = ServiceError.status(
      code: status, message: HTTPURLResponse.localizedString(forStatusCode: status))
    switch status {
    case 200: break
    case 204: return .end
    case 408, 429, 500..<600: return .reconnect(problem)
    default: return .fail(problem)
    }
    let name = contentType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    if name == "text/event-stream" {
      let isPlain = contentEncoding.map { $0.isEmpty || $0.lowercased() == "identity" } ?? true
      return isPlain ? .stream : .fail(.malformed("the stream is compressed"))
    }
    let reason = contentType.map { "the content type is \($0) instead of text/event-stream" }
    return .fail(.malformed((reason ?? "the content type is missing").presentable))
  }

  /// Parses the next bytes of the response and appends the events to deliver to `events`.
  ///
  /// - Throws: `ServiceError.malformed(_:)` if a line or an event is too long.
  mutating func receive(
    _ bytes: some Sequence<UInt8>, into events: inout [ServerSentEvent]
  ) throws(ServiceError) {
    var parsed: [ServerSentEvent] = []
    let problem: ServiceError?
    do throws(ServerSentEventError) {
      try parser.parse(bytes, into: &parsed)
      problem = nil
    } catch {
      problem = .malformed("\(error)")
    }
    if let time = parser.reconnectionMilliseconds {
      let range = policy.reconnectionTimes
      reconnectionTime = min(max(.milliseconds(time), range.lowerBound), range.upperBound)
    }
    for event in parsed {
      if let id = event.id, !id.isEmpty {
        if delivered.insert(id) { mayRepeat = false } else if mayRepeat { continue }
      }
      events.append(event)
    }
    if let problem { throw problem }
  }

  /// Whether to request the source again after an attempt that failed with this error.
  static func reconnects(after error: ServiceError) -> Bool {
    switch error {
    case .offline, .unreachable, .insecure, .connectionLost, .timedOut: true
    case .tooLarge, .redirected, .status, .malformed, .notFound, .keyReused, .stillInProgress: false
    }
  }

  /// The time to wait before the next attempt, or `nil` if the policy does not allow it.
  func delay(using generator: inout some RandomNumberGenerator) -> Duration? {
    guard policy.retry.limit > 0 else { return nil }
    let wait = min(max(reconnectionTime, requestedWait), .century)
    guard failures > 0 else { return wait }
    return policy.retry.delay(beforeRetry: failures, using: &generator).map { wait + min($0, .century) }
  }
}

/// The IDs of the last delivered events, up to a number and a total length.
struct DeliveredIDs: Sendable {
  static let limit = 1_024
  static let lengthLimit = 64 << 10

  // Bytes, because two strings with different bytes can be equal.
  private var ids: Set<[UInt8]> = []
  private var order: [[UInt8]] = []
  private var next = 0
  private var length = 0

  /// Keeps an ID and removes the oldest ones above the limits. Returns whether the ID is new.
  ///
  /// - Complexity: Amortized O(length of the ID).
  mutating func insert(_ id: String) -> Bool {
    let id = Array(id.utf8)
    guard ids.insert(id).inserted else { return false }
    order.append(id)
    length += id.count
    while ids.count > Self.limit || length > Self.lengthLimit { removeOldest() }
    return true
  }

  private mutating func removeOldest() {
    ids.remove(order[next])
    length -= order[next].count
    order[next] = []
    next += 1
    guard next > Self.limit else { return }
    order.removeFirst(next)
    next = 0
  }
}
