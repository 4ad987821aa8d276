import Synchronization

/// Two sources and a partner that sends back through the second what it sees in the first.
struct Rally<Source: Sendable>: Sendable {
  let ping: Source
  let pong: Source
  private let partner: Task<Void, Never>
  private let lastValue = Counter()

  private final class Counter: Sendable {
    let value = Atomic(0)
  }

  init<Values: AsyncSequence & SendableMetatype>(
    source: @Sendable () -> Source,
    values: @escaping @Sendable (Source) -> Values,
    send: @escaping @Sendable (Source, Int) -> Void
  ) where Values.Element == Int, Values.Failure == Never, Values.AsyncIterator: SendableMetatype {
    let (ping, pong) = (source(), source())
    self.ping = ping
    self.pong = pong
    partner = Task {
      for await value in values(ping) { send(pong, value) }
    }
  }

  /// Sends `count` numbers, none of them used before, and awaits the return of each before it sends the next.
  func play<Values: AsyncSequence>(
    _ count: Int, values: (Source) -> Values, send: (Source, Int) -> Void
  ) async where Values.Element == Int, Values.Failure == Never {
    var replies = values(pong).makeAsyncIterator()
    let last = lastValue.value.add(count, ordering: .relaxed).newValue
    for value in (last - count + 1)...last {
      send(ping, value)
      while let reply = await replies.next(isolation: #isolation), reply != value {}
    }
  }

  func end() async {
    partner.cancel()
    await partner.value
  }
}

extension Benchmark {
  /// A value to another task and back, through two sources. An operation is one round trip.
  static func roundTrips<Source: Sendable, Values: AsyncSequence & SendableMetatype>(
    _ variant: String,
    source: @escaping @Sendable () -> Source,
    values: @escaping @Sendable (Source) -> Values,
    send: @escaping @Sendable (Source, Int) -> Void
  ) -> Benchmark
  where Values.Element == Int, Values.Failure == Never, Values.AsyncIterator: SendableMetatype {
    Benchmark(
      variant,
      subject: { Rally(source: source, values: values, send: send) },
      tearDown: { await $0.end() },
      work: { rally, iterations in
        await rally.play(iterations, values: values, send: send)
        return iterations
      })
  }

  /// The floor of round trips: two tasks and nothing between them but a continuation each way.
  static func handOffRoundTrips(_ variant: String) -> Benchmark {
    Benchmark(variant) {
      let (ping, pong) = (HandOff(), HandOff())
      let partner = Task {
        while case let value = await ping.take(), value >= 0 { pong.put(value) }
      }
      return Workload(
        run: { iterations in
          for value in 0..<iterations {
            ping.put(value)
            blackHole(await pong.take())
          }
          return iterations
        },
        tearDown: {
          ping.put(-1)
          await partner.value
        })
    }
  }
}
