import Foundation
import Synchronization

/// Reports a run whose only thread is blocked, for example by a semaphore: prints its seed and its
/// path. The run cannot continue or end.
///
/// Worlds with simulated queues or interruptions at locks have more threads and need no watch:
/// there, such a run fails.
enum BlockWatch {
  static func start() { startOnce }

  /// What the thread has last seen of a world.
  private struct Sample {
    weak var world: SimulatedWorldCore?
    let steps: Int
    let seconds: Int
  }

  private static let startOnce: Void = Thread.detachNewThread {
    var watched: [ObjectIdentifier: Sample] = [:]
    while true {
      Thread.sleep(forTimeInterval: 1)
      let worlds = JobCapture.registeredWorlds.filter { $0.threads == nil }
      // Counts seconds, and does not compare times, so that a debugger can stop the process.
      watched = worlds.reduce(into: [:]) { result, world in
        let steps = world.progress.load(ordering: .acquiring)
        let before = watched[ObjectIdentifier(world)]
        // A new world can have the address of a world that has ended.
        let isSame = before?.world === world && before?.steps == steps
        let seconds = isSame ? (before?.seconds ?? 0) + 1 : 0
        result[ObjectIdentifier(world)] = Sample(world: world, steps: steps, seconds: seconds)
        if seconds == world.limits.blocking { CrashReport.reportBlocked(world) }
      }
    }
  }
}
