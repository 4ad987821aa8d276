import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch
import Synchronization

/// Pieces of work (parts) with completion handlers, coordinated as in the closure stage: a `CompletionGroup`
/// counts the parts in flight, and a semaphore enforces the limit by blocking a thread.
struct CallbackParts: Sendable {
  let count: Int
  let limit: Int

  func run(each time: Duration) async {
    let (group, slots) = (CompletionGroup(), DispatchSemaphore(value: limit))
    let service = DispatchQueue(label: "service", attributes: .concurrent)
    await unsafe withUnsafeContinuation { continuation in
      DispatchQueue.global().async {
        for _ in 0..<count {
          slots.wait()
          let entry = group.enter()
          service.asyncAfter(deadline: .now() + time.nanoseconds / 1e9) {
            entry.leave()
            slots.signal()
          }
        }
        group.notify(on: service) { unsafe continuation.resume() }
      }
    }
  }
}

/// The wall times of the runs in one batch.
final class Walls: Sendable {
  private let times = Mutex<[Duration]>([])

  func note(_ time: Duration) { times.withLock { $0.append(time) } }

  /// The mean of the times since the last call.
  func takeMean() -> Duration {
    times.withLock { times in
      defer { times = [] }
      return times.reduce(.zero, +) / max(times.count, 1)
    }
  }
}
