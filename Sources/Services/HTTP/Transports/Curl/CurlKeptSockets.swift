#if os(Linux)
  import Foundation

  /// The sockets of the connections that libcurl keeps for later requests. Only the thread of a ``CurlWorker`` uses it.
  ///
  /// A server can send bytes over such a connection without a request, such as a second response. libcurl takes them for the response
  /// to the next request. Therefore, the next request must use another connection.
  final class CurlKeptSockets {
    /// The ports of a connection, which identify it. If two connections have the same ports, the worst effect is a new connection
    /// that is not necessary.
    struct Ports: Hashable {
      let local: Int
      let remote: Int
    }

    private var connections: [CInt: Ports] = [:]

    /// Notes the socket of a connection whose response has ended.
    func insert(_ descriptor: CInt, _ ports: Ports) { connections[descriptor] = ports }

    /// Forgets a connection that is used again. Returns whether it has received bytes, or has ended.
    ///
    /// - Complexity: O(number of open connections).
    func takeUnclean(_ ports: Ports) -> Bool {
      guard let descriptor = connections.first(where: { $0.value == ports })?.key else { return false }
      connections[descriptor] = nil
      var readiness = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&readiness, 1, 0) > 0
    }
  }
#endif
