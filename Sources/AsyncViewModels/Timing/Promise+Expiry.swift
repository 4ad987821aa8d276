extension Promise {
  /// Settles with `expiry` where `sleep` gets to its end before there is another result, and calls off what has lost then. Ends
  /// without a trace when it is cancelled itself.
  func expire(
    with expiry: DeadlineExceeded, after sleep: @Sendable () async throws -> Void,
    callOff: @Sendable () -> Void
  ) async {
    do { try await sleep() } catch { return }
    if resolve(.failure(expiry)) { callOff() }
  }
}
