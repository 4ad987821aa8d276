public import Synchronization

/// Ways to take a value out of a lock. Use them for every value whose `deinit` can run foreign
/// code.
///
/// The taken value is released after the unlock, even if the caller ignores it. A value that is
/// replaced in `withLock` is released under the lock. So is, in an optimized build, an ignored
/// result of `withLock`. A `deinit` that takes the same lock then deadlocks.
extension Mutex where Value: ~Copyable {
  /// Runs `body` under the lock, and returns what `body` takes out.
  ///
  /// - Throws: The error that `body` throws. It is released after the unlock, too.
  @export(implementation) @discardableResult
  package func take<Taken, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Taken
  ) throws(Failure) -> sending Taken {
    do throws(Failure) {
      let taken = try withLock(body)
      withExtendedLifetime(taken) {}
      return taken
    } catch {
      throw withExtendedLifetime(error) { error }
    }
  }
}

extension Mutex where Value: Sendable {
  /// Stores a new value, and returns the old one.
  @export(implementation) @discardableResult
  package func exchange(_ new: Value) -> Value { take { Swift.exchange(&$0, with: new) } }

  /// Stores `nil`, and returns the old value.
  @export(implementation) @discardableResult
  package func take<Wrapped: Sendable>() -> Wrapped? where Value == Wrapped? { exchange(nil) }
}
