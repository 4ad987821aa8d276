import AsyncViewModelsTesting
import Synchronization

/// A virtual clock that counts how many sleeps have begun.
final class SleepCountingClock: Clock {
  let virtual = VirtualClock()
  private let sleeps = Atomic(0)

  var now: VirtualClock.Instant { virtual.now }
  var minimumResolution: Duration { virtual.minimumResolution }

  /// The number of sleeps that have begun, whether they have ended or not.
  var sleepCount: Int { sleeps.load(ordering: .relaxed) }

  func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
    sleeps.add(1, ordering: .relaxed)
    try await virtual.sleep(until: deadline, tolerance: tolerance)
  }
}
