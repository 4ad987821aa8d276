import AsyncViewModels

/// How an ``EventSource`` waits, and how much it receives.
struct EventSourcePolicy: Sendable, Equatable {
  /// The time before a reconnection, until the server sends a `retry` field.
  var reconnectionTime: Duration
  /// The range to which a `retry` field of the server is limited.
  var reconnectionTimes: ClosedRange<Duration>
  /// The longest random wait in addition to the reconnection time.
  var longestBackOff: Duration
  /// The longest random wait after the first failure. It doubles with each further one.
  var shortestBackOff: Duration
  /// The longest time that the server may send nothing, not even a comment.
  var idleTime: Duration
  /// How long the lines and the data of the stream may be.
  var limits: ServerSentEventParser.Limits

  init(
    reconnectionTime: Duration = .seconds(3),
    reconnectionTimes: ClosedRange<Duration> = .milliseconds(100) ... .seconds(60),
    shortestBackOff: Duration = .seconds(1), longestBackOff: Duration = .seconds(60),
    idleTime: Duration = .seconds(30), limits: ServerSentEventParser.Limits = .init()
  ) {
    precondition(
      reconnectionTimes.contains(reconnectionTime), "EventSourcePolicy: the reconnection time is out of range"
    )
    precondition(idleTime > .zero, "EventSourcePolicy: the idle time must be positive, not \(idleTime)")
    self.reconnectionTime = reconnectionTime
    self.reconnectionTimes = reconnectionTimes
    self.shortestBackOff = shortestBackOff
    self.longestBackOff = longestBackOff
    self.idleTime = idleTime
    self.limits = limits
  }

  /// Capped exponential back-off with full jitter (Brooker, "Exponential Backoff And Jitter", AWS
  /// Architecture Blog, 2015). Its stable time decides which stream is a success.
  var backOff: RetryPolicy { .exponential(from: shortestBackOff, upTo: longestBackOff, jitter: 1) }
}
