public import Synchronization

/// Runs a timed machine with one task that reads the source, one child task that is the timer, and
/// one lock.
///
/// An element costs one clock reading, one lock and one store. The timer is not restarted when its
/// deadline moves: it sleeps until the old deadline, checks for a new one, and sleeps again.
@usableFromInline
final class TimedStorage<Machine: TimedMachine, Failure: Error>: Sendable {
  @usableFromInline typealias State = TimedState<Machine, Failure>

  @usableFromInline let state: Mutex<State>
  @usableFromInline let stopwatch: Stopwatch

  @export(implementation)
  init(machine: Machine, stopwatch: Stopwatch) {
    state = Mutex(State(machine: machine))
    self.stopwatch = stopwatch
  }

  /// Starts reading the source on the first call. Further calls have no effect.
  @export(implementation)
  func start<Source: AsyncSequence & Sendable>(
    _ source: Source
  ) where Source.Element == Machine.Element, Source.Failure == Failure {
    guard state.withLock({ $0.begin() }) else { return }
    let liveObject = LiveObjectToken(.task, "\(Machine.self)")
    let task = Task {
      defer { liveObject.end() }
      let failure = await readWithTimer(source)
      // If the consumer has left, the error is released here, after the unlock.
      withExtendedLifetime(failure) { perform { $0.end(failure) } }
    }
    perform { $0.install(task) }
  }

  /// Returns the next element. Cancellation ends the sequence: the call returns `nil` at once.
  @export(implementation)
  func next(isolation: isolated (any Actor)?) async throws(Failure) -> Machine.Element? {
    let result = await withTaskCancellationHandler {
      unsafe await withUnsafeContinuation(isolation: isolation) {
        (continuation: UnsafeContinuation<_, Never>) in
        let call = unsafe SuspendedCall<Result<Machine.Element?, Failure>>(continuation)
        perform { $0.ask(call) }
      }
    } onCancel: {
      close()
    }
    return try result.get()
  }

  /// Ends the sequence without starting to read the source. Returns `false` if the source has
  /// already been read.
  @export(implementation)
  func closeUnread() -> Bool {
    guard state.withLock({ $0.begin() }) else { return false }
    close()
    return true
  }

  /// Drops all elements, ends the sequence, and stops reading the source.
  @export(implementation)
  func close() {
    perform { $0.close() }
  }

  /// Reads the source to its end and returns its error, if any. The timer has ended when this
  /// function returns.
  @export(implementation)
  func readWithTimer<Source: AsyncSequence>(
    _ source: Source
  ) async -> Failure? where Source.Element == Machine.Element, Source.Failure == Failure {
    // Leaving this scope cancels the timer and waits for it.
    async let _ = runTimer()
    defer { perform { $0.dismissTimer() } }
    var iterator = source.makeAsyncIterator()
    do throws(Failure) {
      while let element = try await iterator.next(isolation: nil) {
        let now = stopwatch.elapsed()
        // If the consumer has left, the element is released here, after the unlock.
        let isWanted = withExtendedLifetime(element) { perform { $0.receive(element, at: now) } }
        guard isWanted else {
          // This task is cancelled, or is about to be. Only a call of `next` tells a stream so, and
          // the stream its producer.
          _ = try await iterator.next(isolation: nil)
          break
        }
      }
      return nil
    } catch {
      return error
    }
  }

  @export(implementation)
  func runTimer() async {
    while let deadline = await nextDeadline() {
      // The timer is cancelled only when the state has no more deadlines. The next check ends the
      // loop.
      try? await stopwatch.sleep(deadline)
      let now = max(deadline, stopwatch.elapsed())
      perform { $0.wake(at: now) }
    }
  }

  @export(implementation)
  func nextDeadline() async -> Duration? {
    unsafe await withUnsafeContinuation { continuation in
      let call = unsafe SuspendedCall(continuation)
      perform { $0.waitForDeadline(call) }
    }
  }

  @export(implementation)
  func perform(_ event: (inout State) -> State.Effects) {
    perform { state in (isWanted: true, event(&state)) }
  }

  /// Changes the state under the lock, and performs the effects after the unlock.
  @export(implementation) @discardableResult
  func perform(_ event: (inout State) -> (isWanted: Bool, State.Effects)) -> Bool {
    let (previous, (isWanted, effects)) = state.withLock { state in
      // An element's deinit is the user's code. Keeping the old state alive keeps that code outside
      // the lock.
      let previous = state
      return (previous, event(&state))
    }
    withExtendedLifetime(previous) { State.perform(effects) }
    return isWanted
  }
}

/// One iteration of a timed sequence.
///
/// The first call of ``next(isolation:)`` starts the task that reads the source. The deinit stops
/// that task and drops all elements.
@usableFromInline
final class TimedIteration<Source: AsyncSequence & Sendable, Machine: TimedMachine>: Sendable
where Source.Element == Machine.Element {
  @usableFromInline let source: Source
  @usableFromInline let storage: TimedStorage<Machine, Source.Failure>

  @export(implementation)
  init(source: Source, machine: Machine, clock: any Clock<Duration>) {
    self.source = source
    storage = TimedStorage(machine: machine, stopwatch: Stopwatch(clock))
  }

  @export(implementation)
  func next(isolation: isolated (any Actor)?) async throws(Source.Failure) -> Source.Element? {
    // Before the first read: the task that reads the source would take an element before it is
    // cancelled.
    if Task.isCancelled, storage.closeUnread() {
      await source.makeAsyncIterator().noticeCancellation(isolation: isolation)
      return nil
    }
    storage.start(source)
    return try await storage.next(isolation: isolation)
  }

  @inlinable
  deinit { storage.close() }
}

/// A type-erased clock that measures time as the duration since its creation.
///
/// A type that uses a stopwatch can accept `any Clock<Duration>` without being generic over the
/// clock.
@usableFromInline
struct Stopwatch: Sendable {
  /// Returns the time since the stopwatch was created.
  @usableFromInline let elapsed: @Sendable () -> Duration

  /// Sleeps until ``elapsed`` reaches `deadline`. Throws only if the task is cancelled.
  @usableFromInline let sleep: @Sendable (_ deadline: Duration) async throws -> Void

  @export(implementation)
  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let origin = clock.now
    elapsed = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
  }
}
