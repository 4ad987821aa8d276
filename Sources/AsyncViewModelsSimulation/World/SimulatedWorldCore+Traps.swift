import Synchronization

// The end of a run whose code has trapped: its thread has left the world as it was, and another
// thread reports it.

extension SimulatedWorldCore {
  var hasCrashed: Bool { crashed.load(ordering: .acquiring) }

  /// Called by the handler of the signal.
  func markCrashed() { crashed.store(true, ordering: .releasing) }

  /// Fails a run whose code has trapped, unless it had failed or left the world before. Returns the
  /// first reason.
  @discardableResult
  func markTrapped() -> SimulationFailure.Reason {
    if let reason { return reason }
    let trap =
      departure.withLock(\.self)
      ?? .trapped(name(of: running), call: "it trapped, with a message on standard error")
    reason = trap
    timeline?.end(with: trap, step: steps, at: now)
    return trap
  }

  /// Where a failed run leaves its body.
  var bodyState: SimulationFailure.BodyState {
    if rootHasEnded { return .ended }
    if case .leftTheWorld = reason { return .uncontrolled }
    let isControlled = suspect.withLock { $0 == nil } && (hasCrashed || !isAbandoned)
    return isControlled ? .suspended : .uncontrolled
  }
}
