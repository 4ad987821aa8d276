import StorefrontDomain

/// The rules that decide which of several waiting values is written.
///
/// Each change gets a ticket, in the order of the calls. The turns of the tickets come one at a
/// time. The first turn writes the newest value, and the other turns share its result.
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

  enum Turn {
    case isStored
    case hasFailed(StorageError)
    /// Writes this value. Pass `ticket` and the result to ``end(_:with:)``.
    case write(Value?, ticket: Int)
  }

  var isUnsaved: Bool { stored < last }

  /// Sets the value of the file, unless there is a newer one.
  mutating func begin(with value: Value?) {
    if last == 0 { newest = value }
  }

  /// Adds a change. `nil` removes the value. Release the replaced value outside of a lock.
  mutating func add(_ value: Value?) -> (ticket: Int, replaced: Value?) {
    let replaced = newest
    newest = value
    last += 1
    return (last, replaced)
  }

  func turn(of ticket: Int) -> Turn {
    if ticket <= stored { return .isStored }
    if let failed, ticket <= failed.ticket { return .hasFailed(failed.error) }
    return .write(newest, ticket: last)
  }

  /// What to do to flush the newest value. A flush repeats a write that has failed.
  var flushTurn: Turn { isUnsaved ? .write(newest, ticket: last) : .isStored }

  mutating func end(_ ticket: Int, with result: Result<Void, StorageError>) {
    switch result {
    case .success: stored = ticket
    case .failure(let error): failed = (ticket, error)
    }
  }
}
