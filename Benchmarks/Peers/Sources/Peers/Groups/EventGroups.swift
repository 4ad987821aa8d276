import AsyncAlgorithms
import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import Dispatch
@unsafe @preconcurrency import OpenCombine
import OpenCombineDispatch

/// Events: each one has to reach each observer.
enum EventGroups {
  static let burst = 1_024

  static var all: [BenchmarkGroup] { [1, 100].map(delivery) }

  static func title(observers: Int) -> String {
    "\(Quantity.count(burst, "event")), every one delivered to \(Quantity.count(observers, "observer"))"
  }

  private static func delivery(observers: Int) -> BenchmarkGroup {
    let burst = burst
    return BenchmarkGroup(
      section: "Events", title: title(observers: observers), unit: "delivery", reference: Variant.events,
      point: CurvePoint("Events: every one delivered, per delivery", "observers", observers),
      benchmarks: [
        .bursts(
          Variant.events, of: burst, to: observers,
          source: { EventChannel<Int>() }, values: { $0.events() }, send: { $0.send($1) }),
        .bursts(
          Variant.eventStream, of: burst, to: observers,
          source: { EventChannel<Int>() }, values: { $0.stream() }, send: { $0.send($1) }),
        .sinks(
          Variant.passthroughSubject, of: burst, to: observers,
          subject: { PassthroughSubject<Int, Never>() }, sink: { $0.sink(receiveValue: $1) }),
        .sinks(
          Variant.receivedOnQueue, of: burst, to: observers,
          subject: { PassthroughSubject<Int, Never>() },
          sink: { subject, see in
            subject.receive(on: DispatchQueue(label: "observer").ocombine).sink(receiveValue: see)
          }),
        .observerGroup(
          Variant.share, of: burst, to: observers,
          source: { SharedStream { $0.share(bufferingPolicy: .unbounded) } }, send: { $0.send($1) },
          observe: { source, see in
            for await value in source.values { see(value) }
          }),
        .bursts(
          Variant.byHand, of: burst, to: observers,
          source: { HandRolledBroadcaster(0, bufferingPolicy: .unbounded) }, values: { $0.stream() },
          send: { $0.send($1) }),
      ])
  }
}
