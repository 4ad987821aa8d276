import AsyncViewModelsBenchmarkHarness
@unsafe @preconcurrency import OpenCombine

extension Benchmark {
  /// Bursts to observers of a peer. An operation is one value for one observer, whether the observer sees it or a newer
  /// value replaces it.
  static func observerGroup<Source: Sendable>(
    _ variant: String, of burst: Int, to observers: Int,
    source: @escaping @Sendable () -> Source,
    send: @escaping @Sendable (Source, ClosedRange<Int>) async -> Void,
    observe: @escaping @Sendable (Source, _ see: @escaping @Sendable (Int) -> Void) async -> Void
  ) -> Benchmark {
    Benchmark(
      variant,
      subject: {
        let source = source()
        return try await ObserverGroup(size: observers, burst: burst, send: { await send(source, $0) }) {
          see in
          await observe(source, see)
        }
      },
      tearDown: { await $0.cancelAndWait() },
      work: { group, iterations in
        for _ in 0..<iterations { await group.sendBurst() }
        return iterations * burst * observers
      })
  }

  /// Bursts through a subject of OpenCombine to `observers` subscribers.
  static func sinks<Subject: OpenCombine.Subject & SendableMetatype>(
    _ variant: String, of burst: Int, to observers: Int,
    subject: @escaping @Sendable () -> Subject,
    sink: @escaping @Sendable (Subject, _ see: @escaping @Sendable (Int) -> Void) -> AnyCancellable
  ) -> Benchmark where Subject.Output == Int, Subject.Failure == Never {
    Benchmark(variant) {
      let (source, arrivals) = (CombineSubject(subject()), Latch())
      for _ in 0..<observers {
        source.subscribe(
          sink(source.subject) { value in
            if value & (burst - 1) == 0 { arrivals.arrive() }
          })
      }
      return Workload(
        run: { iterations in
          for _ in 0..<iterations {
            arrivals.expect(observers)
            for value in 1...burst { source.subject.send(value) }
            await arrivals.wait()
          }
          return iterations * burst * observers
        },
        tearDown: { source.cancel() })
    }
  }
}
