import Dispatch
import Foundation

/// Starts the calls in random order, in tasks, on a queue and on new threads, and waits for all of them.
func atOnce(_ calls: (@Sendable () -> Void)...) async {
  await withDiscardingTaskGroup { group in
    for (number, call) in calls.shuffled().enumerated() {
      switch number % 3 {
      case 0: group.addTask { call() }
      case 1: group.addTask { await onQueue(.global(), call) }
      default: group.addTask { await onThread(call) }
      }
    }
  }
}

@discardableResult
func onQueue<Answer: Sendable>(
  _ queue: DispatchQueue, _ body: @escaping @Sendable () -> Answer
) async -> Answer {
  await withCheckedContinuation { continuation in
    queue.async { continuation.resume(returning: body()) }
  }
}

func onThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      body()
      continuation.resume()
    }
  }
}

/// Releases an object on a thread of the concurrency pool.
func releaseElsewhere(_ object: some AnyObject & Sendable) {
  Task.detached { withExtendedLifetime(object) {} }
}
