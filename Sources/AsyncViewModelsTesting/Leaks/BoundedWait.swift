import Dispatch

/// Waits a limited time for work that is about to end but may still hold objects.
enum BoundedWait {
  /// Yields to the tasks and queues of the process until the condition holds. Gives up when three
  /// seconds have passed since `start` and at least 2,000 rounds have run.
  ///
  /// A thread on a busy machine may need seconds to release an object. The wait never sleeps.
  static func wait(
    since start: ContinuousClock.Instant = .now, until condition: () -> Bool
  ) async {
    var rounds = 0
    while !condition(), rounds < minimumRounds || start.duration(to: .now) < timeLimit {
      await Task.yield()
      await hop()
      rounds += 1
    }
  }

  private static let minimumRounds = 2_000
  private static let timeLimit = Duration.seconds(3)

  /// Enqueues a block on a global queue, and waits until it has run.
  private static func hop() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume() }
    }
  }
}
