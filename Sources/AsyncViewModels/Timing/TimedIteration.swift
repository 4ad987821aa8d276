/// One iteration of a timed sequence: reads its source from the first ``next(isolation:)`` on, and lets go of
/// everything when it goes away.
final class TimedIteration<Source: AsyncSequence & Sendable, Machine: TimedMachine>: Sendable
where Source.Element == Machine.Element {
  private let source: Source
  private let storage: TimedStorage<Machine, Source.Failure>

  init(source: Source, machine: Machine, clock: any Clock<Duration>) {
    self.source = source
    storage = TimedStorage(machine: machine, stopwatch: Stopwatch(clock))
  }

  func next(isolation: isolated (any Actor)?) async throws(Source.Failure) -> Source.Element? {
    storage.start(source)
    return try await storage.next(isolation: isolation)
  }

  deinit { storage.close() }
}
