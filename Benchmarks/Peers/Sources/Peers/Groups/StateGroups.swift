import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
@unsafe @preconcurrency import OpenCombine

/// State: each observer has to see the newest value, but not every value.
///
/// `share(bufferingPolicy: .bufferingLatest(1))` is not among the variants: with 100 observers a burst did not end,
/// because some observers never got the last value. ``EventGroups`` measures `share` with an
/// unbounded buffer.
enum StateGroups {
  static let burst = 1_024

  static var all: [BenchmarkGroup] {
    [1, 100, 1_000].map(bursts) + [subscription]
  }

  static func title(observers: Int) -> String {
    "burst of \(Quantity.count(burst, "value")) to \(Quantity.count(observers, "observer"))"
  }

  private static func bursts(observers: Int) -> BenchmarkGroup {
    let burst = burst
    return BenchmarkGroup(
      section: "State", title: title(observers: observers), unit: "value and observer",
      reference: Variant.state,
      point: CurvePoint("State: a burst, per value and observer", "observers", observers),
      benchmarks: [
        .bursts(
          Variant.state, of: burst, to: observers,
          source: { StateStore(0) }, values: { $0.values() }, send: { $0.send($1) }),
        .bursts(
          Variant.stateStream, of: burst, to: observers,
          source: { StateStore(0) }, values: { $0.states() }, send: { $0.send($1) }),
        .sinks(
          Variant.currentValueSubject, of: burst, to: observers,
          // Each subscriber gets the first value, which therefore must not be the last one of a burst.
          subject: { CurrentValueSubject<Int, Never>(1) }, sink: { $0.sink(receiveValue: $1) }),
        .observerGroup(
          Variant.stateOnActor, of: burst, to: observers,
          source: { ScreenState() }, send: { await $0.send($1) },
          observe: { await $0.observe($1) }),
        .observerGroup(
          Variant.observations, of: burst, to: observers,
          source: { ObservedValue() }, send: { await $0.send($1) },
          observe: { await $0.observe($1) }),
        .bursts(
          Variant.byHand, of: burst, to: observers,
          source: { HandRolledBroadcaster(0) }, values: { $0.stream() }, send: { $0.send($1) }),
      ])
  }

  private static var subscription: BenchmarkGroup {
    BenchmarkGroup(
      section: "State", title: "subscribe, first value, leave", unit: "subscription",
      reference: Variant.state,
      benchmarks: [
        .subscriptions(Variant.state, source: { StateStore(0) }, values: { $0.values() }),
        .subscriptions(Variant.stateStream, source: { StateStore(0) }, values: { $0.states() }),
        Benchmark(
          Variant.currentValueSubject, subject: { CombineSubject(CurrentValueSubject<Int, Never>(0)) }
        ) { source, iterations in
          for _ in 0..<iterations { source.subject.sink { blackHole($0) }.cancel() }
          return iterations
        },
        Benchmark(Variant.observations, subject: { ObservedValue() }) { source, iterations in
          await source.visit(iterations)
          return iterations
        },
        .subscriptions(Variant.byHand, source: { HandRolledBroadcaster(0) }, values: { $0.stream() }),
      ])
  }
}
