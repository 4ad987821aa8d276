import AsyncViewModelsTesting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The origin's thread: it sleeps in `poll` until a client or the origin's owner wants something.
///
/// One thread serves all connections. Everything that changes is confined to it and needs no lock, and a benchmark that
/// shares the machine with it loses one core at most, however many connections it opens.
///
/// Not Sendable: made and used on that thread.
struct LoopbackEventLoop {
  private let listener: Socket
  private let wakePipe: WakePipe
  private let script: LoopbackScript
  private var routes: LoopbackRoutes
  private var connections: [LoopbackConnection] = []
  private var acceptsAgain = ContinuousClock.now
  private var hasAccepted = false

  init(listener: Socket, wakePipe: WakePipe, script: LoopbackScript, routes: LoopbackRoutes) {
    self.listener = listener
    self.wakePipe = wakePipe
    self.script = script
    self.routes = routes
  }

  /// Serves until `isStopped` says otherwise, which is asked after each wake-up.
  mutating func run(until isStopped: () -> Bool) {
    var polled: [pollfd] = []
    while !isStopped() {
      polled.removeAll(keepingCapacity: true)
      polled.append(pollfd(fd: wakePipe.readEnd, events: Int16(POLLIN), revents: 0))
      let accepts = ContinuousClock.now >= acceptsAgain
      polled.append(pollfd(fd: accepts ? listener.descriptor : -1, events: Int16(POLLIN), revents: 0))
      for connection in connections {
        let events = (connection.wantsToRead ? POLLIN : 0) | (connection.wantsToWrite ? POLLOUT : 0)
        polled.append(pollfd(fd: connection.socket.descriptor, events: Int16(events), revents: 0))
      }
      _ = unsafe poll(&polled, nfds_t(polled.count), hasAccepted ? 0 : timeout(accepts: accepts))
      if polled[0].revents != 0 { wakePipe.drain() }
      serve(polled.dropFirst(2).map { Int32($0.revents) })
      if hasAccepted { notePeak() }
      if polled[1].revents != 0 { accept() }
    }
  }

  private mutating func serve(_ events: [Int32]) {
    let now = ContinuousClock.now
    var ended = 0
    for (index, event) in events.enumerated() {
      if event & (POLLERR | POLLNVAL) != 0 || (event & POLLHUP != 0 && !connections[index].wantsToRead) {
        connections[index].abandon()
      } else {
        if event & (POLLIN | POLLHUP) != 0 { connections[index].read() }
        connections[index].advance(at: now, script: script, routes: &routes)
      }
      if connections[index].isOver { ended += 1 }
    }
    guard ended > 0 else { return }
    connections.removeAll(where: \.isOver)
    script.state.update { [ended] in $0.endedConnectionCount += ended }
  }

  private mutating func accept() {
    while true {
      switch listener.accept() {
      case .accepted(let socket):
        connections.append(LoopbackConnection(socket))
        hasAccepted = true
        script.state.update { $0.connectionCount += 1 }
      case .nobody: return
      case .exhausted:
        // The listener stays readable, so that polling it at once would spin.
        acceptsAgain = .now + .milliseconds(50)
        return
      }
    }
  }

  /// Counts a turn after the accept: whatever a client closed before it connected anew has been seen to be closed by then.
  private mutating func notePeak() {
    hasAccepted = false
    let open = connections.count
    script.state.update { $0.peakConnectionCount = max($0.peakConnectionCount, open) }
  }

  /// In milliseconds, rounded up; -1 for as long as it takes.
  private func timeout(accepts: Bool) -> Int32 {
    var deadlines = connections.compactMap(\.deadline)
    if !accepts { deadlines.append(acceptsAgain) }
    guard let first = deadlines.min() else { return -1 }
    let (seconds, attoseconds) = max(.zero, first - .now).components
    return Int32(
      clamping: min(seconds, 86_400) * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
