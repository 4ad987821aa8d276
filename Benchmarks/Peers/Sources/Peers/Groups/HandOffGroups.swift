import AsyncAlgorithms
import AsyncViewModels
import AsyncViewModelsBenchmarkHarness

/// Values from one task to another and back.
enum HandOffGroups {
  static var all: [BenchmarkGroup] {
    [ThreadPlacement.twoThreads, .oneThread].map { placement in
      BenchmarkGroup(
        section: "Hand-off", title: placement.rawValue, unit: "round trip", reference: Variant.state,
        benchmarks: [
          .handOffRoundTrips("raw continuation hand-off", placement, cancellable: false).asFloor,
          .roundTrips(
            Variant.state, placement, source: { StateStore(0) }, values: { $0.values() },
            send: { $0.send($1) }),
          .roundTrips(
            Variant.stateStream, placement, source: { StateStore(0) }, values: { $0.states() },
            send: { $0.send($1) }),
          channels(placement),
          .roundTrips(
            "bare AsyncStream", placement, source: { BareStream() }, values: { $0.values },
            send: { $0.send($1) }),
        ])
    }
  }

  private static func channels(_ placement: ThreadPlacement) -> Benchmark {
    Benchmark(Variant.channel) {
      let (ping, pong) = (AsyncChannel<Int>(), AsyncChannel<Int>())
      let partner = Task(executorPreference: placement.there) {
        for await value in ping { await pong.send(value) }
      }
      return Workload(
        run: { iterations in
          await withTaskExecutorPreference(placement.here) {
            var replies = pong.makeAsyncIterator()
            for value in 0..<iterations {
              await ping.send(value)
              blackHole(await replies.next(isolation: #isolation))
            }
          }
          return iterations
        },
        tearDown: {
          ping.finish()
          await partner.value
        })
    }
  }
}
