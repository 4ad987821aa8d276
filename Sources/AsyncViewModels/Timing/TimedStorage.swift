import Synchronization

/// Runs a timed machine: one task reads the source, a child of it sleeps, and the consumer waits, all around one lock.
///
/// An element costs a reading of the clock, the lock, and a store. The timer is not restarted when its deadline moves:
/// it sleeps to the end, looks, and sleeps on.
final class TimedStorage<Machine: TimedMachine, Failure: Error>: Sendable {
  private typealias State = TimedState<Machine, Failure>

  private let state: Mutex<State>
  private let stopwatch: Stopwatch

  init(machine: Machine, stopwatch: Stopwatch) {
    state = Mutex(State(machine: machine))
    self.stopwatch = stopwatch
  }

  /// Begins to read the source, the first time that it is called.
  func start<Source: AsyncSequence & Sendable>(
    _ source: Source
  ) where Source.Element == Machine.Element, Source.Failure == Failure {
    guard state.withLock({ $0.begin() }) else { return }
    let entry = LiveObjectToken(.task, "\(Machine.self)")
    let task = Task {
      defer { entry.end() }
      let failure = await readWithTimer(source)
      // An error that came too late for the reader is released after the unlock.
      withExtendedLifetime(failure) { perform { $0.end(failure) } }
    }
    perform { $0.install(task) }
  }

  /// The next element. Cancellation ends the sequence: it returns `nil` at once.
  func next(isolation: isolated (any Actor)?) async throws(Failure) -> Machine.Element? {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        perform { $0.ask(continuation) }
      }
    } onCancel: {
      close()
    }
    return try result.get()
  }

  /// Drops what is kept, ends the sequence, and cancels the reading of the source.
  func close() {
    perform { $0.close() }
  }

  /// Reads the source to its end and returns the error with which it failed. The timer has ended by then.
  private func readWithTimer<Source: AsyncSequence>(
    _ source: Source
  ) async -> Failure? where Source.Element == Machine.Element, Source.Failure == Failure {
    // Leaving this scope cancels the timer, and waits for it.
    async let _ = runTimer()
    defer { perform { $0.dismissTimer() } }
    var iterator = source.makeAsyncIterator()
    do throws(Failure) {
      while let element = try await iterator.next(isolation: nil) {
        let now = stopwatch.elapsed()
        // An element that is refused is released after the unlock.
        let isWanted = withExtendedLifetime(element) { perform { $0.receive(element, at: now) } }
        guard isWanted else { break }
      }
      return nil
    } catch {
      return error
    }
  }

  private func runTimer() async {
    while let deadline = await nextDeadline() {
      // The timer is cancelled only when the state has no deadline for it any more: the loop ends then.
      try? await stopwatch.sleep(deadline)
      let now = max(deadline, stopwatch.elapsed())
      perform { $0.wake(at: now) }
    }
  }

  private func nextDeadline() async -> Duration? {
    await withCheckedContinuation { continuation in
      perform { $0.waitForDeadline(continuation) }
    }
  }

  private func perform(_ event: (inout State) -> State.Effects) {
    perform { state in (isWanted: true, event(&state)) }
  }

  /// Changes the state, releases the lock, and then acts.
  @discardableResult
  private func perform(_ event: (inout State) -> (isWanted: Bool, State.Effects)) -> Bool {
    let (previous, (isWanted, effects)) = state.withLock { state in
      // An element's deinitialiser is the user's code. Keeping the old state keeps it out of the lock.
      let previous = state
      return (previous, event(&state))
    }
    withExtendedLifetime(previous) { effects.perform() }
    return isWanted
  }
}
