import Synchronization

/// Wakes tasks at the minimum cost: one number, one continuation for each task, and one lock.
package final class WakeUps: Sendable {
  @safe
  private struct State {
    var value = 0
    var number = 0
    var waiting: [UnsafeContinuation<Int, Never>] = unsafe []
  }

  private let state = Mutex(State())

  package init() {}

  /// Waits for a wake-up after the one with this number, and returns its number.
  package func wait(after number: Int) async -> Int {
    await unsafe withUnsafeContinuation { continuation in
      let current = state.withLock { state -> Int? in
        if state.number != number { return state.number }
        unsafe state.waiting.append(continuation)
        return nil
      }
      if let current { unsafe continuation.resume(returning: current) }
    }
  }

  /// Stores each value under a lock, and wakes the waiting tasks once.
  package func send(_ values: ClosedRange<Int>) {
    for value in values { state.withLock { $0.value = value } }
    let (waiting, number) = unsafe state.withLock { state in
      state.number += 1
      defer { unsafe state.waiting = [] }
      return unsafe (state.waiting, state.number)
    }
    unsafe waiting.forEach { unsafe $0.resume(returning: number) }
  }
}

extension Benchmark {
  /// What a burst costs at least: each value is stored under a bare lock, and each observer is woken once. An operation is one
  /// value for one observer, as in the other bursts.
  package static func wakeUps(_ variant: String, of burst: Int, to observers: Int) -> Benchmark {
    Benchmark(variant) {
      let (wakeUps, arrivals) = (WakeUps(), Latch())
      arrivals.expect(observers)
      let tasks = (0..<observers).map { _ in
        Task {
          var number = 0
          repeat {
            arrivals.arrive()
            number = await wakeUps.wait(after: number)
          } while !Task.isCancelled
        }
      }
      await arrivals.wait()
      return Workload(
        run: { iterations in
          for _ in 0..<iterations {
            arrivals.expect(observers)
            wakeUps.send(1...burst)
            await arrivals.wait()
          }
          return iterations * burst * observers
        },
        tearDown: {
          for task in tasks { task.cancel() }
          wakeUps.send(1...1)
          for task in tasks { await task.value }
        })
    }
  }
}
