import Observation

/// What `Observations` observes: one observable property.
///
/// `Observations` hears that a property is about to change, and reads it once the actor on which that happens is free again. Sender and
/// observers therefore share one, as its documentation has it: where any thread may set the property, it is read too early, and its
/// last value may never be seen. Not the main actor, whose queue would make it slower here than it need be. The closure that reads is not
/// itself isolated, for the compiler of Swift 6.3 does not get through one on Linux.
///
/// `@unchecked Sendable`: `value` is only touched on ``ScreenActor``.
@Observable
final class ObservedValue: @unchecked Sendable {
  private var value = 0

  @ScreenActor
  func send(_ values: ClosedRange<Int>) {
    for value in values { self.value = value }
  }

  /// Hands on what it sees until its task is cancelled.
  @ScreenActor
  func observe(_ see: @Sendable (Int) -> Void) async {
    for await value in Observations({ self.value }) { see(value) }
  }

  /// So many observers that come, take the current value, and go.
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

/// Where the observed model lives.
@globalActor
actor ScreenActor {
  static let shared = ScreenActor()
}
