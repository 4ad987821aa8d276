import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontServices
import Synchronization

/// The connection of one client. Reads requests and responds in order, without blocking.
///
/// Not Sendable: only the thread of the server uses it.
struct LoopbackConnection {
  /// A response that the server sends at a given time or after a call of ``LoopbackHTTPServer/release()``.
  private struct DelayedResponse {
    enum End {
      case at(ContinuousClock.Instant)
      case release(after: Int)
    }
    var end: End
    var bytes: [UInt8]
    let keepsAlive: Bool
    /// The pause between two bytes. If it is `nil`, all bytes are sent together.
    var pause: Duration?
  }

  /// A request that waits for the handler of the server.
  private struct HandledRequest {
    final class Answer: Sendable {
      let response = Mutex<HTTPResponse?>(nil)
    }
    let request: HTTPRequest
    let answer: Answer
    /// The token that the handler returned. If the connection ends before the answer, the connection releases
    /// the token, which cancels the handler's work.
    let token: CancellationToken
  }

  let socket: Socket
  private let wakePipe: WakePipe
  private var input: [UInt8] = []
  private var consumed = 0
  private var output: [UInt8] = []
  private var written = 0
  private var delayed: DelayedResponse?
  /// The bytes to send until the client closes the connection. If empty, nothing more is sent.
  private var endless: [UInt8]?
  private var handled: HandledRequest?
  /// The response of the feed. It ends with the connection.
  private var feed: LoopbackFeed.Subscription?
  private var inputHasEnded = false
  private var closesWhenWritten = false
  private var lingersUntil: ContinuousClock.Instant?
  private(set) var isOver = false

  private static let chunk = 64 * 1024
  private static let outputLimit = 1024 * 1024
  private static let lingering = Duration.seconds(1)

  init(_ socket: Socket, _ wakePipe: WakePipe) {
    self.socket = socket
    self.wakePipe = wakePipe
  }

  /// Whether the connection reads more bytes. The connection stops at the end of the input. It pauses while too
  /// many bytes of requests wait for a response, or while the client leaves too many bytes of responses unread.
  var wantsToRead: Bool {
    guard !inputHasEnded else { return false }
    if endless != nil || feed != nil { return true }
    let isWaiting = delayed != nil || handled != nil
    return isWaiting ? input.count - consumed < Self.chunk : output.count - written < Self.outputLimit
  }

  /// Whether no request is in progress.
  var isIdle: Bool {
    consumed == input.count && !wantsToWrite && delayed == nil && handled == nil && endless == nil
      && feed == nil
  }

  var wantsToWrite: Bool { written < output.count }

  /// The time at which the connection has to act even if the client does nothing.
  var deadline: ContinuousClock.Instant? {
    if case .at(let instant)? = delayed?.end { return instant }
    return lingersUntil
  }

  mutating func read() {
    switch socket.read(into: &input, limit: Self.chunk) {
    case .bytes:
      if closesWhenWritten || endless != nil || feed != nil { input.removeAll(keepingCapacity: true) }
    case .later: break
    case .over: inputHasEnded = true
    }
  }

  /// Marks the connection as over, without sending anything.
  mutating func abandon() {
    isOver = true
  }

  /// Sends bytes for which no request has asked.
  mutating func send(unasked bytes: [UInt8]) {
    send(bytes, keepsAlive: true)
    flush()
  }

  /// Responds to the received requests. Pauses while the client leaves too many bytes of responses unread.
  mutating func advance(
    at now: ContinuousClock.Instant, script: LoopbackScript, routes: inout LoopbackRoutes
  ) {
    repeat { flush() } while !isOver && step(at: now, script, &routes)
    flush()
    if closesWhenWritten, !wantsToWrite { linger(at: now) }
  }

  /// Sends the response that was waiting, or handles the next request. Returns whether it did one of the two.
  private mutating func step(
    at now: ContinuousClock.Instant, _ script: LoopbackScript, _ routes: inout LoopbackRoutes
  ) -> Bool {
    if let delayed {
      guard Self.isDue(delayed, at: now, script) else { return false }
      self.delayed = nil
      if let pause = delayed.pause, delayed.bytes.count > 1 {
        send(delayed.bytes.prefix(1), keepsAlive: true)
        self.delayed = delayed
        self.delayed?.bytes.removeFirst()
        self.delayed?.end = .at(now + pause)
        return true
      }
      send(delayed.bytes, keepsAlive: delayed.keepsAlive)
      return true
    }
    if let handled {
      guard let response = handled.answer.response.withLock({ $0 }) else {
        isOver = inputHasEnded
        return false
      }
      self.handled = nil
      handled.token.finish()
      send(response, to: handled.request)
      return true
    }
    if let feed {
      let (bytes, isFeedOver) = feed.takeOutput()
      if isFeedOver { self.feed = nil }
      send(bytes, keepsAlive: !isFeedOver)
      if inputHasEnded { isOver = true }
      return false
    }
    if endless != nil {
      if inputHasEnded { isOver = true }
      return false
    }
    guard !closesWhenWritten, output.count - written < Self.outputLimit else { return false }
    switch HTTPRequestParser.parse(input[consumed...]) {
    case .incomplete:
      closesWhenWritten = inputHasEnded
      return false
    case .malformed(let response):
      send(response.encoded(keepsAlive: false), keepsAlive: false)
      return true
    case .request(let request, let length):
      let (fault, releases) = script.begin(request, input[consumed...].prefix(length))
      consumed += length
      if consumed == input.count {
        input.removeAll(keepingCapacity: true)
        consumed = 0
      } else if consumed > Self.chunk {
        input.removeFirst(consumed)
        consumed = 0
      }
      if fault == nil, let handler = script.handler {
        handled = handle(request, with: handler)
      } else {
        respond(to: request, at: now, fault, releases: releases, script, &routes)
      }
      return true
    }
  }

  private func handle(_ request: HTTPRequest, with handler: LoopbackHandler) -> HandledRequest {
    let answer = HandledRequest.Answer()
    let token = handler(request) { [wakePipe] response in
      answer.response.withLock { $0 = $0 ?? response }
      wakePipe.wake()
    }
    return HandledRequest(request: request, answer: answer, token: token)
  }

  private mutating func respond(
    to request: HTTPRequest, at now: ContinuousClock.Instant, _ fault: LoopbackFault?, releases: Int,
    _ script: LoopbackScript, _ routes: inout LoopbackRoutes
  ) {
    let (keepsAlive, hasBody) = (request.keepsAlive, request.method != "HEAD")
    switch fault {
    case nil:
      if let refusal = script.refusal(of: request) {
        send(refusal, to: request)
      } else if let subscription = routes.subscription(for: request) {
        feed = subscription
        send(LoopbackFeed.head, keepsAlive: true)
      } else if script.state.snapshot.sendsEntityTags {
        send(routes.response(to: request).revalidated(for: request), to: request)
      } else {
        send(routes.encodedResponse(to: request), keepsAlive: keepsAlive)
      }
    case .status(let status)?:
      send(.error(status, "scripted failure"), to: request)
    case .retryLater(let status, let after)?:
      var response = HTTPResponse.error(status, "scripted failure")
      response.fields = ["Retry-After": after]
      send(response, to: request)
    case .body(let text)?:
      send(HTTPResponse(status: 200, body: Array(text.utf8)), to: request)
    case .delay(let duration)?:
      delayed = DelayedResponse(
        end: .at(now + duration), bytes: routes.encodedResponse(to: request), keepsAlive: keepsAlive)
    case .hold?:
      delayed = DelayedResponse(
        end: .release(after: releases), bytes: routes.encodedResponse(to: request), keepsAlive: keepsAlive)
    case .drop?:
      send([], keepsAlive: false)
    case .truncate?:
      let response = routes.response(to: request)
      let bytes = response.encoded(keepsAlive: false, withBody: hasBody)
      send(bytes.dropLast(hasBody ? (response.body.count + 1) / 2 : 0), keepsAlive: false)
    case .cut(let length, let isReset)?:
      let bytes = routes.encodedResponse(to: request).prefix(length)
      respond(
        to: request, at: now, .bytes(Array(bytes), end: isReset ? .reset : .close), releases: releases,
        script,
        &routes)
    case .stillInProgress(let after)?:
      var response = HTTPResponse.problem(.inProgress)
      if let after { response.fields = ["Retry-After": after] }
      send(response, to: request)
    case .hostile(let response)?:
      let body = String(decoding: routes.response(to: request).body, as: UTF8.self)
      respond(to: request, at: now, response.fault(body), releases: releases, script, &routes)
    case .bytes(let bytes, let end)?:
      send(bytes, keepsAlive: end != .close)
      self.end(end, at: now)
    }
  }

  /// Does what follows the bytes of ``LoopbackFault/bytes(_:end:)``.
  private mutating func end(_ end: LoopbackFault.End, at now: ContinuousClock.Instant) {
    switch end {
    case .close, .next: break
    case .silence: endless = []
    case .endless(let bytes): endless = bytes
    case .slow(let bytes, let pause):
      delayed = DelayedResponse(end: .at(now + pause), bytes: bytes, keepsAlive: false, pause: pause)
    case .reset:
      flush()
      socket.resetOnClose()
      isOver = true
    }
  }

  private static func isDue(
    _ delayed: DelayedResponse, at now: ContinuousClock.Instant, _ script: LoopbackScript
  ) -> Bool {
    switch delayed.end {
    case .at(let instant): now >= instant
    case .release(let before): script.state.snapshot.releases > before
    }
  }

  private mutating func send(_ response: HTTPResponse, to request: HTTPRequest) {
    send(
      response.encoded(keepsAlive: request.keepsAlive, withBody: request.method != "HEAD"),
      keepsAlive: request.keepsAlive)
  }

  private mutating func send(_ bytes: some Sequence<UInt8>, keepsAlive: Bool) {
    output += bytes
    if !keepsAlive { closesWhenWritten = true }
  }

  private mutating func flush() {
    while wantsToWrite {
      switch socket.write(output[written...]) {
      case .bytes(let count): written += count
      case .later: return
      case .over:
        isOver = true
        return
      }
    }
    output.removeAll(keepingCapacity: true)
    written = 0
    if let endless { output += endless }
  }

  /// Ends the output. Closes the connection when the client has ended its output, too, or after one second.
  ///
  /// If the server immediately closed a socket with unread input, the system could discard the bytes that the
  /// server has just sent.
  private mutating func linger(at now: ContinuousClock.Instant) {
    guard let lingersUntil else {
      socket.endOutput()
      self.lingersUntil = now + Self.lingering
      isOver = inputHasEnded
      return
    }
    isOver = inputHasEnded || now >= lingersUntil
  }
}
