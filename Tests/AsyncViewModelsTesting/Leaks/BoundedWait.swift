import Dispatch

/// Waits a limited time for work that is just ending to release what it holds.
enum BoundedWait {
  /// Yields to the tasks and queues of the process until the condition holds or about a second has passed.
  ///
  /// It never sleeps. The limit is a second because a thread on a busy machine may take that long to release
  /// an object.
  static func wait(until condition: () -> Bool) async {
    let start = ContinuousClock.now
    var rounds = 0
    while !condition(), rounds < minimumRounds || start.duration(to: .now) < timeLimit {
      await Task.yield()
      await hop()
      rounds += 1
    }
  }

  private static let minimumRounds = 2_000
  private static let timeLimit = Duration.seconds(1)

  /// Waits for one block on a global queue, behind the blocks that are already enqueued.
  private static func hop() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume() }
    }
  }
}
