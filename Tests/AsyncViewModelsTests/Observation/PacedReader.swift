import AsyncViewModels
import AsyncViewModelsTesting
import ToolkitTestSupport

/// A state, and a task that reads it with a pacing on virtual time and notes what it receives and when.
///
/// A frame has 100 ms. The notes have the form `1@130`: the value and the time in milliseconds.
final class PacedReader: Sendable {
  let clock = SleepCountingClock()
  let state = StateStore(0)
  let notes = Notes()
  let reading: Task<Void, Never>

  /// - Parameter makeStream: Makes the stream that the task reads.
  init(
    _ makeStream: (StateStore<Int>, SleepCountingClock) -> AsyncStream<Int> = { state, clock in
      state.states(pacing: .frames(perSecond: 10, clock: clock))
    }
  ) {
    let stream = makeStream(state, clock)
    reading = Task { [clock, notes] in
      for await value in stream { notes.add("\(value)@\(clock.now.milliseconds)") }
      notes.add("|@\(clock.now.milliseconds)")
    }
  }

  /// Waits until the task waits for a change or for a frame.
  func settle() async throws {
    try await until { state.waitingCount + clock.virtual.sleeperCount == 1 }
  }

  /// Advances the time to `milliseconds` in steps, and lets the task settle after each step.
  func advance(to milliseconds: Int) async throws {
    try await settle()
    while clock.now.milliseconds < milliseconds {
      clock.virtual.advance(by: .milliseconds(10))
      try await settle()
    }
  }

  /// Sends values at times, and returns the notes up to `end`.
  func run(_ changes: [(time: Int, value: Int)], until end: Int) async throws -> [String] {
    for change in changes {
      try await advance(to: change.time)
      state.send(change.value)
    }
    try await advance(to: end)
    return notes.all
  }

  deinit { reading.cancel() }
}

extension VirtualClock.Instant {
  /// The whole milliseconds since the start of the clock.
  var milliseconds: Int { Int(offset / .milliseconds(1)) }
}
