import AsyncViewModelsRequests

/// How an ``EventSource`` waits, and how much it receives.
struct EventSourcePolicy: Sendable, Equatable {
  /// The time before a reconnection, until the server sends a `retry` field.
  var reconnectionTime: Duration
  /// The range to which a `retry` field of the server is limited.
  var reconnectionTimes: ClosedRange<Duration>
  /// The waits in addition to the reconnection time, and when to give up. Its stable time decides
  /// which stream is a success.
  var retry: RetryPolicy
  /// The longest time that the server may send nothing, not even a comment.
  var idleTime: Duration
  /// How long the lines and the data of the stream may be.
  var limits: ServerSentEventParser.Limits

  /// Retries without end by default, with capped exponential back-off and full jitter (Brooker,
  /// "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
  init(
    reconnectionTime: Duration = .seconds(3),
    reconnectionTimes: ClosedRange<Duration> = .milliseconds(100) ... .seconds(60),
    retry: RetryPolicy = .exponential(from: .seconds(1), upTo: .seconds(60), jitter: 1),
    idleTime: Duration = .seconds(30), limits: ServerSentEventParser.Limits = .init()
  ) {
    precondition(
      reconnectionTimes.contains(reconnectionTime), "EventSourcePolicy: the reconnection time is out of range"
    )
    precondition(idleTime > .zero, "EventSourcePolicy: the idle time must be positive, not \(idleTime)")
    self.reconnectionTime = reconnectionTime
    self.reconnectionTimes = reconnectionTimes
    self.retry = retry
    self.idleTime = idleTime
    self.limits = limits
  }
}
