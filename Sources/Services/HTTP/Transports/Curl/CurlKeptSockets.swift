#if os(Linux)
  import Foundation

  /// The sockets of the connections that libcurl keeps, for the thread of a ``CurlWorker``.
  ///
  /// libcurl takes bytes that a server sends over a kept connection for the response to the next
  /// request. The next request must use another connection then.
  final class CurlKeptSockets {
    /// The ports of a connection, which identify it. Equal ports cost at most a new connection.
    struct Ports: Hashable {
      let local: Int
      let remote: Int
    }

    private var connections: [CInt: Ports] = [:]

    /// Records the socket of a connection whose response has ended.
    func insert(_ descriptor: CInt, _ ports: Ports) { connections[descriptor] = ports }

    /// Removes a connection to use again. Returns whether it has received bytes, or has ended.
    ///
    /// - Complexity: O(open connections).
    func takeUnclean(_ ports: Ports) -> Bool {
      guard let descriptor = connections.first(where: { $0.value == ports })?.key else { return false }
      connections[descriptor] = nil
      var readiness = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&readiness, 1, 0) > 0
    }
  }
#endif
