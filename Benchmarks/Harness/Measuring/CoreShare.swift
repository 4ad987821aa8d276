import Dispatch
import Foundation

/// How much of the machine this process gets.
enum CoreShare {
  /// The part of all cores that the process gets while it asks for all of them: 1 on a quiet machine.
  ///
  /// The best of three attempts, each with a thread that spins on each core: a thread that starts late looks like a busy core.
  static func measured() -> Double {
    (0..<3).map { _ in attempt() }.max() ?? 1
  }

  private static func attempt() -> Double {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let (start, cpuTime) = (ContinuousClock.now, ProcessUsage.cpuTime)
    let end = start + .milliseconds(30)
    DispatchQueue.concurrentPerform(iterations: cores) { _ in while ContinuousClock.now < end {} }
    return min(1, (ProcessUsage.cpuTime - cpuTime) / (start.duration(to: .now) * cores))
  }

  /// The share below which results are not reliable. With two cores, one busy thread of another process leaves about 0.75.
  static let quiet = 0.85

  /// What to say about the machine; `nil` if it is quiet.
  static func note(_ share: Double) -> String? {
    share < quiet
      ? "BUSY: this process gets \(Quantity.percentage(share)) of the cores. Measure again on a quiet machine."
      : nil
  }
}
