import AsyncViewModelsBenchmarkHarness
import Observation

/// An observable property for `Observations`.
///
/// `Observations` learns that a property is about to change. It reads the new value when the actor that makes
/// the change is free again. Its documentation therefore asks that the sender and the observers share one
/// actor: if any thread may set the property, `Observations` reads too early and may miss the last value. The
/// main actor would be slower here, because of its queue.
///
/// The closure that reads `value` is not isolated: on Linux, the Swift 6.3 compiler crashes if it is.
///
/// `@unchecked Sendable`: ``ScreenActor`` guards `value`.
@Observable
final class ObservedValue: @unchecked Sendable {
  private var value = 0

  @ScreenActor
  func send(_ values: ClosedRange<Int>) {
    for value in values { self.value = value }
  }

  /// Passes each value to `see` until the current task is cancelled.
  @ScreenActor
  func observe(_ see: @Sendable (Int) -> Void) async {
    for await value in Observations({ self.value }) { see(value) }
  }

  /// Runs `count` observers that subscribe, take the current value, and leave.
  @ScreenActor
  func visit(_ count: Int) async {
    for _ in 0..<count {
      for await value in Observations({ self.value }) {
        blackHole(value)
        break
      }
    }
  }
}

/// The global actor that the sender and the observers of a value share.
@globalActor
actor ScreenActor {
  static let shared = ScreenActor()
}
