import Synchronization

/// Returns a kept event to its channel if the observer that has read the event cannot use it.
///
/// An observer that runs its body on another executor can be cancelled between the read and the body. A kept
/// event would then be lost. ``read(_:)`` notes the kept event, and ``giveBack()`` makes it the first kept event
/// of its channel again.
///
/// The subscription finds this object in a task-local value, because it is called through an `AsyncStream`. The
/// value is set only during a read. So a read in the observer's body, or in a task that the body creates, does
/// not reach this object.
@usableFromInline
final class EventHandover: Sendable {
  @TaskLocal static var current: EventHandover?

  private let returnEvent = Mutex<(@Sendable () -> Void)?>(nil)

  /// Runs a read, and notes the kept event that it returns. Forgets the event of the last read.
  nonisolated(nonsending) func read<Element, Failure: Error>(
    _ next: () async throws(Failure) -> Element?
  ) async throws(Failure) -> Element? {
    withExtendedLifetime(returnEvent.withLock { $0.take() }) {}
    let result = await Self.$current.withValue(self) {
      do throws(Failure) {
        return Result<Element?, Failure>.success(try await next())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Returns the kept event of the last read, if any, to its channel.
  func giveBack() { returnEvent.withLock { $0.take() }?() }

  /// Notes that the current read returns `event`, unless the read needs no handover.
  @usableFromInline
  static func note<Event: Sendable>(_ event: Numbered<Event>, from storage: EventStorage<Event>) {
    guard let current else { return }
    let replaced = current.returnEvent.withLock {
      exchange(&$0, with: { Waiter.resumeAll(storage.putBack(event)) })
    }
    withExtendedLifetime(replaced) {}
  }
}
