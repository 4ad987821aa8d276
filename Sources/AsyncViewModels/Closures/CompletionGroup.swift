public import Dispatch
import Synchronization

/// Waits for several completion handlers: a `DispatchGroup` that cannot be left twice, nor be forgotten.
///
/// - Promises: each ``enter()`` is answered by exactly one leave. A second ``Entry/leave()`` does nothing, where a
///   bare `DispatchGroup` would crash; an entry that is dropped leaves by itself, so a completion handler that is
///   thrown away uncalled delays nobody for ever.
/// - Isolation: none; any thread may enter, leave and ask to be notified.
public final class CompletionGroup: Sendable {
  private let group = DispatchGroup()

  public init() {}

  /// Counts one more piece of work, until the entry leaves.
  public func enter() -> Entry {
    Entry(group)
  }

  /// Runs `work` on `queue` as soon as every entry made so far has left: at once (in a turn of the queue of its
  /// own) where there is none.
  public func notify(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    group.notify(queue: queue) { work() }
  }
}

extension CompletionGroup {
  /// One piece of work that its group waits for. It leaves when its last reference goes away, so keep it in the completion handler.
  /// A local variable keeps it only until its last use in an optimized build.
  public final class Entry: Sendable {
    private let group: DispatchGroup
    private let hasLeft = Atomic(false)

    fileprivate init(_ group: DispatchGroup) {
      self.group = group
      group.enter()
    }

    /// Ends the wait for this piece of work. Only the first call counts.
    public func leave() {
      guard !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
      group.leave()
    }

    deinit { leave() }
  }
}
