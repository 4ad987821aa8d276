import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsGCD
import Dispatch

/// Compares `StateStore` with floors (the minimum cost on this machine) and with a hand-written
/// broadcaster.
enum StateBenchmarks {
  static let burst = 1_024

  static var groups: [BenchmarkGroup] {
    [send] + [1, 10, 100, 1_000, 10_000].map(bursts) + [roundTrip, subscription]
  }

  static let burstCurve = "burst, per value and observer"

  private static let section = "State"
  /// The largest number of observers for the hand-written broadcaster. A larger number would take longer than
  /// the rest of the run.
  private static let handRolledLimit = 1_000
  private static let concrete = "StateStore, concrete"
  private static let stream = "StateStore, AsyncStream"
  static let wakeUps = "bare Mutex, and one wake-up for each observer"
  private static let handRolled = "AsyncStream per observer, by hand"

  private static var send: BenchmarkGroup {
    BenchmarkGroup(
      section: section, title: "send without observers", unit: "value",
      reference: "bare Mutex: lock, store, unlock",
      benchmarks: [
        Benchmark("bare Mutex: lock, store, unlock", subject: { LockedValue() }) { locked, iterations in
          for value in 0..<iterations { locked.store(value) }
          blackHole(locked.value)
          return iterations
        }.asFloor,
        Benchmark("StateStore", subject: { StateStore(0) }) { state, iterations in
          for value in 0..<iterations { state.send(value) }
          blackHole(state.value)
          return iterations
        },
        Benchmark("CallbackState (closure stage)", subject: { CallbackState(0) }) { state, iterations in
          for value in 0..<iterations { state.send(value) }
          blackHole(state.value)
          return iterations
        },
      ])
  }

  private static func bursts(observers: Int) -> BenchmarkGroup {
    let burst = burst
    let title = "burst of \(Quantity.count(burst, "value")) to \(Quantity.count(observers, "observer"))"
    let isAffordable = observers <= handRolledLimit
    return BenchmarkGroup(
      section: section, title: title, unit: "value and observer",
      reference: isAffordable ? handRolled : concrete,
      point: CurvePoint(
        burstCurve, "observers", observers,
        note: """
          A burst is \(Quantity.count(burst, "value")) without a pause. Each observer gets the newest value, not every one. With more \
          observers, more values pass while they wake up, and each value costs less.
          """),
      benchmarks: [
        .bursts(
          concrete, of: burst, to: observers,
          source: { StateStore(0) }, values: { $0.values() }, send: { $0.send($1) }),
        .bursts(
          stream, of: burst, to: observers,
          source: { StateStore(0) }, values: { $0.states() }, send: { $0.send($1) }),
        .wakeUps(wakeUps, of: burst, to: observers).asFloor,
      ] + (isAffordable ? [handRolledBursts(observers)] : []) + (observers == 1 ? [callbackBursts] : []))
  }

  private static func handRolledBursts(_ observers: Int) -> Benchmark {
    .bursts(
      handRolled, of: burst, to: observers,
      source: { HandRolledBroadcaster(0) }, values: { $0.stream() }, send: { $0.send($1) })
  }

  /// Bursts through a `CallbackState`, whose only observer gets every value.
  private static var callbackBursts: Benchmark {
    Benchmark("CallbackState (closure stage), every value") {
      let (state, arrivals, burst) = (CallbackState(0), Latch(), burst)
      let binding = state.bind(on: DispatchQueue(label: "observer")) { value in
        if value == burst { arrivals.arrive() }
      }
      return Workload(
        run: { iterations in
          for _ in 0..<iterations {
            arrivals.expect(1)
            for value in 1...burst { state.send(value) }
            await arrivals.wait()
          }
          return iterations * burst
        },
        tearDown: { binding.cancel() })
    }
  }

  private static var roundTrip: BenchmarkGroup {
    let placement = ThreadPlacement.twoThreads
    return BenchmarkGroup(
      section: section, title: placement.rawValue, unit: "round trip", reference: "raw continuation hand-off",
      benchmarks: [
        .handOffRoundTrips("raw continuation hand-off", placement, cancellable: false).asFloor,
        .handOffRoundTrips("continuation hand-off that can be cancelled", placement, cancellable: true),
        .loopedRoundTrips("StateStore, concrete, forEach", placement),
        .roundTrips(
          concrete, placement, source: { StateStore(0) }, values: { $0.values() }, send: { $0.send($1) }),
        .roundTrips(
          stream, placement, source: { StateStore(0) }, values: { $0.states() }, send: { $0.send($1) }),
        .roundTrips(
          "AsyncStream over a raw hand-off", placement,
          source: { HandOff() }, values: { $0.stream() }, send: { $0.put($1) }),
        .roundTrips(
          "bare AsyncStream", placement, source: { BareStream() }, values: { $0.values },
          send: { $0.send($1) }),
      ])
  }

  private static var subscription: BenchmarkGroup {
    BenchmarkGroup(
      section: section, title: "subscribe, first value, leave", unit: "subscription", reference: handRolled,
      benchmarks: [
        .subscriptions(concrete, source: { StateStore(0) }, values: { $0.values() }),
        .subscriptions(stream, source: { StateStore(0) }, values: { $0.states() }),
        .subscriptions(handRolled, source: { HandRolledBroadcaster(0) }, values: { $0.stream() }),
      ])
  }
}
