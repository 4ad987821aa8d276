import AsyncAlgorithms
import Domain

/// Values from one task to another and back.
enum HandOffGroups {
  static var all: [BenchmarkGroup] {
    [
      BenchmarkGroup(
        section: "Hand-off", title: "to another task and back", unit: "round trip", reference: Variant.state,
        benchmarks: [
          .handOffRoundTrips("raw continuation hand-off", cancellable: false).asFloor,
          .roundTrips(
            Variant.state, source: { ObservableState(0) }, values: { $0.values() }, send: { $0.send($1) }),
          .roundTrips(
            Variant.stateStream, source: { ObservableState(0) }, values: { $0.stream() },
            send: { $0.send($1) }),
          channels,
          .roundTrips(
            "bare AsyncStream", source: { BareStream() }, values: { $0.values }, send: { $0.send($1) }),
        ])
    ]
  }

  private static var channels: Benchmark {
    Benchmark(Variant.channel) {
      let (ping, pong) = (AsyncChannel<Int>(), AsyncChannel<Int>())
      let partner = Task {
        for await value in ping { await pong.send(value) }
      }
      return Workload(
        run: { iterations in
          var replies = pong.makeAsyncIterator()
          for value in 0..<iterations {
            await ping.send(value)
            blackHole(await replies.next(isolation: #isolation))
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
