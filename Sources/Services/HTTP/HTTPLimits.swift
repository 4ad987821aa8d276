/// How long a storefront over HTTP waits, and how much it receives.
public struct HTTPLimits: Sendable, Equatable {
  /// The longest time that a call takes, from the call to the decoded response. This includes all redirections, retries
  /// and middleware, and the wait until fewer than ``connections`` requests run.
  public var deadline: Duration
  /// The longest time without progress: no byte of the request is sent, and no byte of the response arrives. It includes the
  /// time to connect. `URLSession` rounds it up to whole seconds. On Linux, a line of the head counts when it is complete.
  public var idleTimeout: Duration
  /// The largest number of requests that run at the same time to one origin (scheme, host and port). Other requests wait in
  /// the order in which they arrive at this limit, after the middleware. Calls that begin at almost the same time can arrive in
  /// another order. A request does not count while it waits for a retry or in a middleware. A response that is longer than 32 KB counts
  /// until it is decoded, so that this limit and ``bodyLength`` limit the memory.
  ///
  /// It is also the number of connections that stay open for later requests, or four with `URLSession` on Linux if that is fewer.
  /// On Linux, each write uses a new connection, which closes with its response.
  public var connections: Int
  /// The largest number of bytes in the body of a response, after decompression. A longer body fails with
  /// ``/StorefrontDomain/ServiceError/tooLarge(limit:)``.
  ///
  /// To receive a response, the storefront needs at most twice this memory, for at most ``connections`` responses at the same time,
  /// including those that wait to be decoded. To decode a response, `JSONDecoder` needs more: about 4 times the length of the body for
  /// a list of products, and up to 29 times for text of many short values, such as `[[[1]],[[1]]]` (measured for 16 MB in Swift 6.3 on
  /// Linux). Long bodies are decoded one at a time.
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
