import Dispatch

/// The action of a virtual clock at a deadline: resuming a task or enqueuing a block.
enum WakeUp: Sendable {
  case task(CheckedContinuation<Void, any Error>)
  case block(ScheduledBlock)

  func fire(at deadline: VirtualClock.Instant, on clock: VirtualClock) {
    switch self {
    case .task(let continuation): continuation.resume()
    case .block(let block): block.queue.async { clock.run(block, dueAt: deadline) }
    }
  }

  func cancel() {
    switch self {
    case .task(let continuation): continuation.resume(throwing: CancellationError())
    case .block(let block): block.cancel()
    }
  }
}
