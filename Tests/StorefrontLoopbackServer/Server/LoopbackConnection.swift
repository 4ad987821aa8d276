import AsyncViewModelsTesting

/// One client's connection: bytes in, requests answered in order, bytes out. It never waits.
///
/// Not Sendable: it belongs to the origin's thread.
struct LoopbackConnection {
  /// An answer that is held back.
  private struct Stall {
    enum End {
      case at(ContinuousClock.Instant)
      case release(after: Int)
    }
    let end: End
    let answer: [UInt8]
    let keepsAlive: Bool
  }

  let socket: Socket
  private var input: [UInt8] = []
  private var consumed = 0
  private var output: [UInt8] = []
  private var written = 0
  private var stall: Stall?
  private var inputHasEnded = false
  private var closesWhenWritten = false
  private var lingersUntil: ContinuousClock.Instant?
  private(set) var isOver = false

  private static let chunk = 64 * 1024
  private static let outputLimit = 1024 * 1024
  private static let lingering = Duration.seconds(1)

  init(_ socket: Socket) {
    self.socket = socket
  }

  /// Whether bytes are wanted. A client that sends requests faster than it takes answers has to wait.
  var wantsToRead: Bool {
    guard !inputHasEnded else { return false }
    return stall == nil ? output.count - written < Self.outputLimit : input.count - consumed < Self.chunk
  }

  var wantsToWrite: Bool { written < output.count }

  /// When there is something to do even if the client does nothing.
  var deadline: ContinuousClock.Instant? {
    if case .at(let instant)? = stall?.end { return instant }
    return lingersUntil
  }

  mutating func read() {
    switch socket.read(into: &input, limit: Self.chunk) {
    case .bytes: if closesWhenWritten { input.removeAll(keepingCapacity: true) }
    case .later: break
    case .over: inputHasEnded = true
    }
  }

  /// The connection broke: neither side will hear of the other again.
  mutating func abandon() {
    isOver = true
  }

  /// Answers what is there to be answered, as far as the client takes it.
  mutating func advance(
    at now: ContinuousClock.Instant, script: LoopbackScript, routes: inout LoopbackRoutes
  ) {
    repeat { flush() } while !isOver && step(at: now, script, &routes)
    flush()
    if closesWhenWritten, !wantsToWrite { linger(at: now) }
  }

  /// Deals with the next request. Returns whether there was one.
  private mutating func step(
    at now: ContinuousClock.Instant, _ script: LoopbackScript, _ routes: inout LoopbackRoutes
  ) -> Bool {
    if let stall {
      guard Self.isOver(stall, at: now, script) else { return false }
      self.stall = nil
      send(stall.answer, keepsAlive: stall.keepsAlive)
      return true
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
      consumed += length
      if consumed == input.count {
        input.removeAll(keepingCapacity: true)
        consumed = 0
      } else if consumed > Self.chunk {
        input.removeFirst(consumed)
        consumed = 0
      }
      answer(request, at: now, script, &routes)
      return true
    }
  }

  private mutating func answer(
    _ request: HTTPRequest, at now: ContinuousClock.Instant, _ script: LoopbackScript,
    _ routes: inout LoopbackRoutes
  ) {
    let keepsAlive = request.keepsAlive
    let (fault, releases) = script.begin(target: request.target)
    switch fault {
    case nil:
      send(routes.answer(to: request), keepsAlive: keepsAlive)
    case .status(let status)?:
      send(
        HTTPResponse.error(status, "this was scripted").encoded(keepsAlive: keepsAlive),
        keepsAlive: keepsAlive)
    case .body(let text)?:
      let response = HTTPResponse(status: 200, body: Array(text.utf8))
      send(response.encoded(keepsAlive: keepsAlive), keepsAlive: keepsAlive)
    case .delay(let duration)?:
      stall = Stall(
        end: .at(now + duration), answer: routes.answer(to: request), keepsAlive: keepsAlive)
    case .hold?:
      stall = Stall(
        end: .release(after: releases), answer: routes.answer(to: request),
        keepsAlive: keepsAlive)
    case .drop?:
      send([], keepsAlive: false)
    case .truncate?:
      let response = routes.response(to: request)
      let answer = response.encoded(keepsAlive: false)
      send(answer.dropLast((response.body.count + 1) / 2), keepsAlive: false)
    }
  }

  private static func isOver(
    _ stall: Stall, at now: ContinuousClock.Instant, _ script: LoopbackScript
  ) -> Bool {
    switch stall.end {
    case .at(let instant): now >= instant
    case .release(let before): script.state.snapshot.releases > before
    }
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
  }

  /// Closes for good once the client has closed too, or after a while. Closing at once, with input unread, would make
  /// the system throw away what was just sent.
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
