import AsyncViewModelsTesting
import Foundation

/// The event loop of a server: its thread waits in `poll` for clients and for the owner of the server.
///
/// One thread serves all connections. Mutable state is confined to this thread and needs no lock. The server
/// uses at most one core, which matters to a benchmark on the same machine.
///
/// Not Sendable: used only on this thread.
struct LoopbackEventLoop {
  private let listener: Socket
  private let wakePipe: WakePipe
  private let script: LoopbackScript
  private var routes: LoopbackRoutes
  private var connections: [LoopbackConnection] = []
  private var acceptsAgain = ContinuousClock.now
  private var hasAccepted = false
  private var idleClosings = 0

  init(listener: Socket, wakePipe: WakePipe, script: LoopbackScript, routes: LoopbackRoutes) {
    self.listener = listener
    self.wakePipe = wakePipe
    self.script = script
    self.routes = routes
  }

  /// Serves clients until `isStopped` returns true. Checks it after each wake-up.
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
    let closings = script.state.snapshot.idleClosings
    if closings > idleClosings {
      idleClosings = closings
      for index in connections.indices where connections[index].isIdle { connections[index].abandon() }
    }
    if let bytes = script.state.snapshot.unasked {
      for index in connections.indices where connections[index].isIdle {
        connections[index].send(unasked: bytes)
      }
      script.state.update { $0.unasked = nil }
    }
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
        connections.append(LoopbackConnection(socket, wakePipe))
        hasAccepted = true
        script.state.update { $0.connectionCount += 1 }
      case .noConnection: return
      case .exhausted:
        // The listener stays readable, so polling it immediately would spin.
        acceptsAgain = .now + .milliseconds(50)
        return
      }
    }
  }

  /// Updates the peak one iteration after an accept. Without this delay, a client that closes a connection
  /// and then reconnects could count twice, because the loop has not removed the closed connection yet.
  private mutating func notePeak() {
    hasAccepted = false
    let open = connections.count
    script.state.update { $0.peakConnectionCount = max($0.peakConnectionCount, open) }
  }

  /// The timeout for `poll` in milliseconds, rounded up, or -1 for none.
  private func timeout(accepts: Bool) -> Int32 {
    var deadlines = connections.compactMap(\.deadline)
    if !accepts { deadlines.append(acceptsAgain) }
    guard let first = deadlines.min() else { return -1 }
    let (seconds, attoseconds) = max(.zero, first - .now).components
    return Int32(
      clamping: min(seconds, 86_400) * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
