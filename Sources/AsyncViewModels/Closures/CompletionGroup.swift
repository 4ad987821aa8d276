public import Dispatch
import Synchronization

/// A `DispatchGroup` for completion handlers that balances every enter with exactly one leave.
///
/// A second ``Entry/leave()`` does nothing, while a plain `DispatchGroup` would crash. Releasing an entry
/// also leaves the group. A completion handler that is released without a call therefore does not block the
/// group.
///
/// - Isolation: None. Enter, leave and call ``notify(on:_:)`` on any thread.
public final class CompletionGroup: Sendable {
  private let group = DispatchGroup()

  /// Creates a group without entries.
  public init() {}

  /// Adds a piece of work. The group waits until the returned entry leaves or is released.
  public func enter() -> Entry {
    Entry(group)
  }

  /// Runs `work` on `queue` after every entry made so far has left.
  ///
  /// If there is no entry, `work` is submitted to `queue` at once.
  public func notify(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    group.notify(queue: queue) { work() }
  }
}

extension CompletionGroup {
  /// A piece of work that its group waits for.
  ///
  /// It leaves when its last reference is released, so capture it in the completion handler.
  ///
  /// - Lifetime: In an optimized build, a local variable keeps an entry only until its last use.
  public final class Entry: Sendable {
    private let group: DispatchGroup
    private let hasLeft = Atomic(false)

    fileprivate init(_ group: DispatchGroup) {
      self.group = group
      group.enter()
    }

    /// Ends the wait for this piece of work. Only the first call has an effect.
    public func leave() {
      guard !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
      group.leave()
    }

    deinit { leave() }
  }
}
