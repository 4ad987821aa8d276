import StorefrontDomain

/// The rules that decide which of several waiting values is written.
///
/// Each change gets a ticket, in the order of the calls. The turns of the tickets come one at a time. The first turn writes
/// the newest value, and the other turns share its result.
///
/// | turn of a ticket | result |
/// | --- | --- |
/// | its value or a newer one is on the disk | success |
/// | the write of its value, or of a newer value in its place, has failed | the error of that write |
/// | otherwise | writes the newest value |
struct SaveTickets<Value: Sendable>: Sendable {
  /// The value of the last ticket, or the value of the file before the first ticket.
  private(set) var newest: Value?
  /// The last ticket, or 0.
  private(set) var last = 0
  /// The newest ticket whose value is on the disk, or 0.
  private var stored = 0
  /// The newest ticket whose write has failed.
  private var failed: (ticket: Int, error: StorageError)?

  /// What happens in the turn of a ticket.
  enum Turn {
    case isStored
    case hasFailed(StorageError)
    /// Writes this value. Pass `ticket` and the result to ``end(_:with:)``.
    case write(Value?, ticket: Int)
  }

  /// Whether the newest value is not on the disk.
  var isUnsaved: Bool { stored < last }

  /// Sets the value that the file contains. Does nothing if there is a newer value.
  mutating func begin(with value: Value?) {
    if last == 0 { newest = value }
  }

  /// Adds a change. `nil` removes the value.
  ///
  /// - Returns: The ticket, and the value that is no longer the newest. Release that value outside of a lock.
  mutating func add(_ value: Value?) -> (ticket: Int, replaced: Value?) {
    let replaced = newest
    newest = value
    last += 1
    return (last, replaced)
  }

  /// Returns what to do in the turn of a ticket.
  func turn(of ticket: Int) -> Turn {
    if ticket <= stored { return .isStored }
    if let failed, ticket <= failed.ticket { return .hasFailed(failed.error) }
    return .write(newest, ticket: last)
  }

  /// Returns what to do to flush the newest value. Unlike a turn of a ticket, a flush writes a value again whose write has
  /// failed.
  var flushTurn: Turn { isUnsaved ? .write(newest, ticket: last) : .isStored }

  /// Ends a write.
  mutating func end(_ ticket: Int, with result: Result<Void, StorageError>) {
    switch result {
    case .success: stored = ticket
    case .failure(let error): failed = (ticket, error)
    }
  }
}
