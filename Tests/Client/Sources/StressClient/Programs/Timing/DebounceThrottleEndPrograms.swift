import AsyncViewModels
import Synchronization

extension StressProgram {
  static var debounceThrottleEnds: [StressProgram] {
    [
      StressProgram(
        name: "debounce-throttle-leaving",
        summary:
          "cancelled readers and dropped iterators leave the source, and its elements are released",
        run: leaving),
      StressProgram(
        name: "debounce-throttle-reentrancy",
        summary: "elements whose deinit cancels the reader are released outside the lock", run: reentrancy),
    ]
  }

  private static func leaving(load: Load) async throws {
    let (sent, freed) = (Tally(), Tally())
    try await load.inParallel { task in
      for round in 1...240 {
        let source = EventChannel<DeinitAction>()
        let reader = startReader(of: source, round, stopsEarly: round % 3 == 0)
        for _ in 1...10 {
          sent.add()
          source.send(DeinitAction { freed.add() })
        }
        if round % 2 == 0 { await Task.yield() }
        switch round % 3 {
        case 0: await until { source.observerCount == 0 }
        case 1: await atOnce({ reader.cancel() }, { source.finish() }, { reader.cancel() })
        default: reader.cancel()
        }
        await reader.value
        await until { source.observerCount == 0 }
      }
    }
    await until { freed.value == sent.value }
  }

  /// Starts a task that reads until it is cancelled or the source ends. With `stopsEarly`, the task drops its
  /// iterator after the first element.
  private static func startReader(
    of source: EventChannel<DeinitAction>, _ round: Int, stopsEarly: Bool = false
  ) -> Task<Void, Never> {
    let (events, interval) = (source.events(), Duration.microseconds(100))
    if round % 2 == 0 { return read(events.debounced(for: interval), stopsEarly) }
    return read(events.throttled(for: interval), stopsEarly)
  }

  private static func read<Source: AsyncSequence & Sendable>(
    _ source: Source, _ stopsEarly: Bool
  ) -> Task<Void, Never> where Source.Failure == Never {
    Task { for await _ in source { if stopsEarly { break } } }
  }

  /// Uses an `EventChannel` as the source: an ended `AsyncStream` would release its elements under its lock.
  private static func reentrancy(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...80 {
        let freed = Tally()
        let owner = Mutex<Task<Void, Never>?>(nil)
        let source = EventChannel<DeinitAction>()
        let cancel: @Sendable () -> Void = { owner.withLock { $0 }?.cancel() }
        let reader = startReader(of: source, round)
        owner.withLock { $0 = reader }
        for number in 1...10 {
          source.send(
            DeinitAction { [weak source] in
              if number == round % 12 { cancel() }
              source?.send(DeinitAction(cancel))
              freed.add()
            })
          if number % 4 == 0 { await Task.yield() }
        }
        if round % 2 == 0 { source.finish() } else { reader.cancel() }
        await reader.value
        withExtendedLifetime(owner.withLock { $0.take() }) {}
        await until { source.observerCount == 0 && freed.value == 10 }
      }
    }
  }
}
