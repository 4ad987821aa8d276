/// How long a storefront over HTTP waits, and how much it receives.
public struct HTTPLimits: Sendable, Equatable {
  /// The longest time from the call to the decoded response, with all redirections, retries,
  /// middleware, and the wait for one of the ``connections``.
  public var deadline: Duration
  /// The longest time without progress, in either direction. Includes the time to connect.
  /// `URLSession` rounds it up to whole seconds. On Linux, only complete lines of the head count.
  public var idleTimeout: Duration
  /// The most requests that run at the same time to one origin (scheme, host and port). Other
  /// requests wait in the order in which they arrive here, after the middleware. A request does not
  /// count while it waits for a retry or in a middleware. A response of more than 32 KB counts
  /// until it is decoded, which limits the memory.
  ///
  /// It is also the number of connections that stay open: at most four with `URLSession` on Linux.
  /// On Linux, each write uses a new connection, which closes with its response.
  public var connections: Int
  /// The most bytes in the body of a response, after decompression. A longer body fails with
  /// ``/StorefrontDomain/ServiceError/tooLarge(limit:)``.
  ///
  /// Receiving needs at most twice this memory for each of the ``connections``. Decoding needs
  /// more, for one long body at a time: about 4 times the length for a list of products, and up to
  /// 29 times for many short values, such as `[[[1]],[[1]]]` (measured for 16 MB in Swift 6.3 on
  /// Linux).
  public var bodyLength: Int

  /// Creates limits.
  ///
  /// - Precondition: Every limit is positive.
  public init(
    deadline: Duration = .seconds(60), idleTimeout: Duration = .seconds(30), connections: Int = 6,
    bodyLength: Int = 16 << 20
  ) {
    precondition(deadline > .zero, "HTTPLimits: the deadline must be positive, not \(deadline)")
    precondition(idleTimeout > .zero, "HTTPLimits: the idle timeout must be positive, not \(idleTimeout)")
    precondition(connections >= 1, "HTTPLimits: there must be at least 1 connection, not \(connections)")
    precondition(bodyLength >= 1, "HTTPLimits: the body length must be at least 1, not \(bodyLength)")
    self.deadline = deadline
    self.idleTimeout = idleTimeout
    self.connections = connections
    self.bodyLength = bodyLength
  }
}
