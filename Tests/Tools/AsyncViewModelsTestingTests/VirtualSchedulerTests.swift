import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing

@Suite("VirtualClock: scheduling blocks", .timeLimit(.minutes(5)), .endsWaits)
struct VirtualSchedulerTests {
  private let clock = VirtualClock()
  private let queue = DispatchQueue(label: "VirtualSchedulerTests")
  private let notes = Notes()

  @Test("blocks run in the order of their deadlines, then of their registration")
  func blocksRunInOrder() {
    let tokens = [("late", 2), ("early, first", 1), ("early, second", 1), ("at once", 0)].map { name, delay in
      clock.schedule(after: .seconds(delay), on: queue) { [notes] in notes.add(name) }
    }
    #expect(clock.sleeperCount == 3)
    clock.advance(by: .seconds(3))
    queue.sync {}
    #expect(notes.all == ["at once", "early, first", "early, second", "late"])
    withExtendedLifetime(tokens) {}
  }

  @Test("a block runs on its queue")
  func blockRunsOnItsQueue() async throws {
    let ran = Gate()
    let token = clock.schedule(after: .seconds(1), on: queue) { [queue] in
      dispatchPrecondition(condition: .onQueue(queue))
      ran.open()
    }
    clock.advance(by: .seconds(1))
    try await ran.waitUnlessCancelled()
    withExtendedLifetime(token) {}
  }

  @Test("a block does not run if its token is cancelled or dropped")
  func cancelledBlockDoesNotRun() {
    let token = clock.schedule(after: .seconds(1), on: queue) { [notes] in notes.add("cancelled") }
    _ = clock.schedule(after: .seconds(1), on: queue) { [notes] in notes.add("dropped") }
    token.cancel()
    #expect(clock.sleeperCount == 0)
    clock.advance(by: .seconds(1))
    queue.sync {}
    #expect(notes.all.isEmpty)
  }

  @Test("a block that is due but has not started can still be cancelled")
  func dueBlockCanBeCancelled() {
    let token = clock.schedule(after: .seconds(1), on: queue) { [notes] in notes.add("ran") }
    queue.sync {
      clock.advance(by: .seconds(1))
      token.cancel()
    }
    queue.sync {}
    #expect(notes.all.isEmpty)
  }

  @Test("blocks that each schedule the next block keep their interval, even within one advance")
  func chainedBlocksKeepTheirInterval() async throws {
    let metronome = Metronome(clock: clock, queue: queue, period: .seconds(1), beats: 3)
    metronome.start()
    clock.advance(by: .milliseconds(3_500))
    try await metronome.ended.waitUnlessCancelled()
    #expect(clock.now.offset == .milliseconds(3_500))
    #expect(clock.sleeperCount == 0)
  }

  @Test("a dropped clock releases its scheduled blocks")
  func droppedClockReleasesItsBlocks() async throws {
    try await LeakTracker.check { tracker in
      let clock = tracker.track(VirtualClock())
      let notes = tracker.track(Notes())
      let token = clock.schedule(after: .seconds(1), on: queue) { notes.add("never") }
      withExtendedLifetime(token) {}
    }
  }
}

/// Schedules each block from within the previous block.
private final class Metronome: Sendable {
  let ended = Gate()
  private let clock: VirtualClock
  private let queue: DispatchQueue
  private let period: Duration
  private let remaining: Mutex<(beats: Int, token: CancellationToken?)>

  init(clock: VirtualClock, queue: DispatchQueue, period: Duration, beats: Int) {
    self.clock = clock
    self.queue = queue
    self.period = period
    remaining = Mutex((beats, nil))
  }

  func start() {
    let token = clock.schedule(after: period, on: queue) { self.beat() }
    let old = remaining.withLock { state in
      defer { state.token = token }
      return state.token
    }
    withExtendedLifetime(old) {}
  }

  private func beat() {
    let isLast = remaining.withLock { state in
      state.beats -= 1
      return state.beats == 0
    }
    if isLast { ended.open() } else { start() }
  }
}
