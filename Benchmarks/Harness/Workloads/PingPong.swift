import AsyncViewModels
public import Synchronization

/// Two sources and a partner task that sends each value of the first source back through the second.
@usableFromInline
struct PingPong<Source: Sendable>: Sendable {
  @usableFromInline let ping: Source
  @usableFromInline let pong: Source
  @usableFromInline let partner: Task<Void, Never>
  @usableFromInline let lastValue = LastValue()

  @usableFromInline
  final class LastValue: Sendable {
    @usableFromInline let value = Atomic(0)

    @usableFromInline init() {}
  }

  @inlinable
  init<Values: AsyncSequence & SendableMetatype>(
    _ placement: ThreadPlacement,
    source: @Sendable () -> Source,
    values: @escaping @Sendable (Source) -> Values,
    send: @escaping @Sendable (Source, Int) -> Void
  ) where Values.Element == Int, Values.Failure == Never, Values.AsyncIterator: SendableMetatype {
    let (ping, pong) = (source(), source())
    self.ping = ping
    self.pong = pong
    partner = Task(executorPreference: placement.there) {
      for await value in values(ping) { send(pong, value) }
    }
  }

  /// Sends `count` new numbers, and awaits the return of each before it sends the next.
  @inlinable
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

  @inlinable
  func end() async {
    partner.cancel()
    await partner.value
  }
}

extension Benchmark {
  /// Sends values to a partner and back, through two sources. An operation is one round trip.
  @inlinable
  public static func roundTrips<Source: Sendable, Values: AsyncSequence & SendableMetatype>(
    _ variant: String, _ placement: ThreadPlacement,
    source: @escaping @Sendable () -> Source,
    values: @escaping @Sendable (Source) -> Values,
    send: @escaping @Sendable (Source, Int) -> Void
  ) -> Benchmark
  where Values.Element == Int, Values.Failure == Never, Values.AsyncIterator: SendableMetatype {
    Benchmark(
      variant,
      subject: { PingPong(placement, source: source, values: values, send: send) },
      tearDown: { await $0.end() },
      work: { pingPong, iterations in
        await withTaskExecutorPreference(placement.here) {
          await pingPong.play(iterations, values: values, send: send)
        }
        return iterations
      })
  }

  /// Round trips through two states, with a `forEach` loop at each end. Each loop installs one cancellation handler for
  /// all its values.
  package static func loopedRoundTrips(_ variant: String, _ placement: ThreadPlacement) -> Benchmark {
    struct Returned: Error {}
    return Benchmark(variant) {
      let (ping, pong) = (StateStore(0), StateStore(0))
      let partner = Task(executorPreference: placement.there) { [values = ping.values()] in
        await values.forEach { pong.send($0) }
      }
      return Workload(
        run: { iterations in
          await withTaskExecutorPreference(placement.here) {
            var sent = ping.value + 1
            let last = sent + iterations - 1
            ping.send(sent)
            do throws(Returned) {
              try await pong.values().forEach { reply throws(Returned) in
                guard reply == sent else { return }
                if sent == last { throw Returned() }
                sent += 1
                ping.send(sent)
              }
            } catch {}
          }
          return iterations
        },
        tearDown: {
          ping.finish()
          await partner.value
        })
    }
  }

  /// The floor of round trips: two tasks and one continuation each way.
  ///
  /// If `cancellable` is `true`, each wait installs a cancellation handler, as each wait of `for await` does.
  public static func handOffRoundTrips(
    _ variant: String, _ placement: ThreadPlacement, cancellable: Bool
  ) -> Benchmark {
    Benchmark(variant) {
      let (ping, pong) = (HandOff(), HandOff())
      let partner = Task(executorPreference: placement.there) {
        while case let value = await ping.take(cancellable: cancellable), value >= 0 { pong.put(value) }
      }
      return Workload(
        run: { iterations in
          await withTaskExecutorPreference(placement.here) {
            for value in 0..<iterations {
              ping.put(value)
              blackHole(await pong.take(cancellable: cancellable))
            }
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
