extension EventChannel {
  /// Runs `body` on `owner` for each event, without keeping `owner` alive.
  ///
  /// ```swift
  /// alerts.observe(on: self) { log, alert in log.add(alert) }.store(in: bag)
  /// ```
  ///
  /// The observer receives the kept events and every event that is sent from this call on. All
  /// other guarantees are those of `stream().observe(on:)`: `body` receives one event at a time, in
  /// order.
  @export(implementation)
  public func observe<Owner: Actor>(
    on owner: Owner, buffering: BufferingPolicy = .unbounded,
    _ body: @escaping @Sendable (isolated Owner, Event) async -> Void
  ) -> CancellationToken {
    events(buffering).observe(on: owner, body)
  }

  /// Runs `body` on the main actor for each event, without keeping `owner` alive.
  ///
  /// The guarantees are those of the overload for actors.
  @export(implementation) @MainActor
  public func observe<Owner: AnyObject>(
    on owner: Owner, buffering: BufferingPolicy = .unbounded,
    _ body: @escaping @MainActor (Owner, Event) async -> Void
  ) -> CancellationToken {
    events(buffering).observe(on: owner, body)
  }
}
