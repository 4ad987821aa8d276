import Synchronization

/// What middleware remembers about one call of the client, from its first attempt to its last.
final class HTTPCall: Sendable {
  /// The call that sends the request of the current task. `nil` for the request of a live feed.
  @TaskLocal static var current: HTTPCall?

  private let sessions = Mutex<[ObjectIdentifier: Int]>([:])

  /// Notes `session` as the session of the call in `object`, unless the call already has one there. Returns whether the call
  /// belongs to `session`. `nil` means that the request has no token: such a call belongs to each later session.
  func belongs(to session: Int?, of object: ObjectIdentifier) -> Bool {
    sessions.withLock { sessions in
      if let first = sessions[object] { return first == session }
      sessions[object] = session
      return true
    }
  }
}
