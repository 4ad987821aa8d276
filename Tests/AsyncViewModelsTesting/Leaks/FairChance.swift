import Dispatch

/// The time that work which is just ending gets to let go of what it holds.
enum FairChance {
  /// Steps aside for the tasks and queues of the process again and again, and ends as soon as the condition holds.
  ///
  /// It never sleeps. Only a condition that stays false uses up all the patience, about a second: on a busy machine a thread that
  /// is about to let go may have to wait as long.
  static func wait(until condition: () -> Bool) async {
    let start = ContinuousClock.now
    var rounds = 0
    while !condition(), rounds < minimalRounds || start.duration(to: .now) < patience {
      await Task.yield()
      await hop()
      rounds += 1
    }
  }

  private static let minimalRounds = 2_000
  private static let patience = Duration.seconds(1)

  /// Goes once through a global queue, behind what is enqueued there already.
  private static func hop() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume() }
    }
  }
}
