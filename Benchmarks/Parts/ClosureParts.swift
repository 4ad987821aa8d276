import AsyncViewModels
import Dispatch
import Synchronization

/// Parts whose services call back, as the closure stage coordinates them: it counts them with a ``StorefrontDomain/CompletionGroup``, and a
/// semaphore keeps the limit, which takes a thread to wait on it.
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
          service.asyncAfter(deadline: .now() + .nanoseconds(Int(time.nanoseconds))) {
            entry.leave()
            slots.signal()
          }
        }
        group.notify(on: service) { unsafe continuation.resume() }
      }
    }
  }
}

/// How long the runs of one batch took.
final class Walls: Sendable {
  private let times = Mutex<[Duration]>([])

  func note(_ time: Duration) { times.withLock { $0.append(time) } }

  /// The mean of what was noted since it was last asked for.
  func takeMean() -> Duration {
    times.withLock { times in
      defer { times = [] }
      return times.reduce(.zero, +) / max(times.count, 1)
    }
  }
}
