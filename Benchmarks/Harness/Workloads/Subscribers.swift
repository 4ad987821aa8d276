import AsyncViewModels

/// A source and the tasks that observe it, each of which reports when it has seen the last value of a burst.
struct Subscribers<Source: Sendable>: Sendable {
  let source: Source
  let size: Int
  private let observers: [Task<Void, Never>]
  private let arrivals = Latch()

  /// Starts `size` observers. Returns when all of them have subscribed.
  /// - Parameters:
  ///   - burst: how many values a burst has: a power of two, so that an observer can tell the last at the cost of a mask.
  ///   - values: subscribes.
  init<Values: AsyncSequence & SendableMetatype>(
    of source: Source, size: Int, burst: Int, values: @escaping @Sendable (Source) -> Values
  ) async where Values.Element == Int, Values.Failure == Never, Values.AsyncIterator: SendableMetatype {
    precondition(burst.nonzeroBitCount == 1, "a burst of \(burst) values: not a power of two")
    self.source = source
    self.size = size
    let arrivals = arrivals
    arrivals.expect(size)
    observers = (0..<size).map { _ in
      Task {
        let values = values(source)
        arrivals.arrive()
        for await value in values where value & (burst - 1) == 0 { arrivals.arrive() }
      }
    }
    await arrivals.wait()
  }

  /// Sends the values `1...burst` in a tight loop and returns when every observer has seen the last one.
  func play(burst: Int, send: (Source, Int) -> Void) async {
    arrivals.expect(size)
    for value in 1...burst { send(source, value) }
    await arrivals.wait()
  }

  /// Ends the observers and waits for their ends.
  func leave() async {
    for observer in observers { observer.cancel() }
    for observer in observers { await observer.value }
  }
}

extension Benchmark {
  /// Bursts of `burst` values to `observers` observers. An operation is one value for one observer, seen or conflated.
  static func bursts<Source: Sendable, Values: AsyncSequence & SendableMetatype>(
    _ variant: String, of burst: Int, to observers: Int,
    source: @escaping @Sendable () -> Source,
    values: @escaping @Sendable (Source) -> Values,
    send: @escaping @Sendable (Source, Int) -> Void
  ) -> Benchmark
  where Values.Element == Int, Values.Failure == Never, Values.AsyncIterator: SendableMetatype {
    Benchmark(
      variant,
      subject: { await Subscribers(of: source(), size: observers, burst: burst, values: values) },
      tearDown: { await $0.leave() },
      work: { subscribers, iterations in
        for _ in 0..<iterations { await subscribers.play(burst: burst, send: send) }
        return iterations * burst * observers
      })
  }
}
