import Foundation
import Synchronization

/// Reports a run whose only thread is blocked, for example by a semaphore: prints its seed and its path. The run cannot continue or end.
///
/// Worlds with simulated queues or interruptions at locks have more threads and need no watch: there, such a run fails.
enum BlockWatch {
  static func start() { startOnce }

  private static let startOnce: Void = Thread.detachNewThread {
    var watched: [ObjectIdentifier: (steps: Int, seconds: Int)] = [:]
    while true {
      Thread.sleep(forTimeInterval: 1)
      let worlds = JobCapture.registeredWorlds.filter { $0.threads == nil }
      // Counts seconds, and does not compare times, so that a debugger can stop the process.
      watched = worlds.reduce(into: [:]) { result, world in
        let steps = world.progress.load(ordering: .acquiring)
        let before = watched[ObjectIdentifier(world)]
        let seconds = before?.steps == steps ? (before?.seconds ?? 0) + 1 : 0
        result[ObjectIdentifier(world)] = (steps, seconds)
        if seconds == world.limits.blocking { CrashReport.reportBlocked(world) }
      }
    }
  }
}
