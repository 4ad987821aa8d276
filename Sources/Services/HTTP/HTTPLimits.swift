/// How long a storefront over HTTP waits, and how much it receives.
public struct HTTPLimits: Sendable, Equatable {
  /// The longest time that a request takes, from the call to the decoded response, with all redirections.
  public var deadline: Duration
  /// The longest time that the server may send nothing. Rounded up to whole seconds. On Linux, the wait for a free
  /// connection counts, too.
  public var idleTimeout: Duration
  /// The number of connections for reads that stay open and are reused. Further reads wait for a free connection. After a
  /// response that is too long, later reads use new connections, and those of earlier reads end with their reads.
  public var connections: Int
  /// The largest number of bytes in the body of a response, after decompression.
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
