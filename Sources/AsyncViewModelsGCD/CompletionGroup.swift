public import Dispatch
import Synchronization

/// A `DispatchGroup` for completion handlers. It balances every enter with exactly one leave.
///
/// ```swift
/// let loads = CompletionGroup()
/// for part in parts {
///   let entry = loads.enter()
///   load(part) { _ in entry.leave() }
/// }
/// loads.notify(on: queue) { print("loaded") }
/// ```
///
/// A second call of ``Entry/leave()`` does nothing, and releasing an entry also leaves the group.
/// So a handler that is called twice does not crash, and a handler that is never called does not
/// block the group.
///
/// - Isolation: None. Enter, leave and call ``notify(on:_:)`` on any thread.
public final class CompletionGroup: Sendable {
  private let group = DispatchGroup()

  /// Creates a group without entries.
  public init() {}

  /// Adds a piece of work to the group. The group waits until the returned entry leaves or is
  /// released.
  public func enter() -> Entry {
    Entry(group)
  }

  /// Runs `work` on `queue` when all entries have left the group.
  ///
  /// If there is no entry, `work` is submitted to `queue` at once. An entry that is made while
  /// `work` waits for other entries delays `work`, too.
  public func notify(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    group.notify(queue: queue) { work() }
  }
}

extension CompletionGroup {
  /// A piece of work that its group waits for.
  ///
  /// Capture the entry in the completion handler. It leaves its group at the first call of
  /// ``leave()``, or when its last reference is released.
  ///
  /// - Lifetime: In an optimized build, a local variable keeps an entry only until the last use of
  ///   the variable.
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
