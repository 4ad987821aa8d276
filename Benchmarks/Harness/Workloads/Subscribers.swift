/// A source and the tasks that observe it. Each task reports when it has seen the last value of a burst.
@usableFromInline
struct Subscribers<Source: Sendable>: Sendable {
  @usableFromInline let source: Source
  @usableFromInline let count: Int
  @usableFromInline let observers: [Task<Void, Never>]
  @usableFromInline let arrivals: Latch

  /// Starts `count` observers, and returns when all of them have subscribed.
  ///
  /// - Parameters:
  ///   - burst: The number of values in a burst: a power of two, so that an observer recognizes the last
  ///     value of a burst with a mask.
  ///   - values: Subscribes to the source, and returns the sequence of its values.
  @inlinable
  init<Values: AsyncSequence & SendableMetatype>(
    of source: Source, count: Int, burst: Int, values: @escaping @Sendable (Source) -> Values
  ) async where Values.Element == Int, Values.Failure == Never, Values.AsyncIterator: SendableMetatype {
    precondition(burst.nonzeroBitCount == 1, "a burst of \(burst) values: not a power of two")
    let arrivals = Latch()
    self.source = source
    self.count = count
    self.arrivals = arrivals
    arrivals.expect(count)
    observers = (0..<count).map { _ in
      Task {
        let values = values(source)
        arrivals.arrive()
        // A state begins with its initial value 0, which is not the last one of a burst.
        for await value in values where value & (burst - 1) == 0 && value != 0 { arrivals.arrive() }
      }
    }
    await arrivals.wait()
  }

  /// Sends the values `1...burst` in a tight loop, and returns when every observer has seen the last one.
  @inlinable
  func play(burst: Int, send: (Source, Int) -> Void) async {
    arrivals.expect(count)
    for value in 1...burst { send(source, value) }
    await arrivals.wait()
  }

  /// Cancels the observers and waits for them.
  @inlinable
  func leave() async {
    for observer in observers { observer.cancel() }
    for observer in observers { await observer.value }
  }
}

extension Benchmark {
  /// Bursts of `burst` values to `observers` observers. An operation is one value for one observer, whether the
  /// observer sees it or a newer value replaces it.
  @inlinable
  public static func bursts<Source: Sendable, Values: AsyncSequence & SendableMetatype>(
    _ variant: String, of burst: Int, to observers: Int,
    source: @escaping @Sendable () -> Source,
    values: @escaping @Sendable (Source) -> Values,
    send: @escaping @Sendable (Source, Int) -> Void
  ) -> Benchmark
  where Values.Element == Int, Values.Failure == Never, Values.AsyncIterator: SendableMetatype {
    Benchmark(
      variant,
      subject: { await Subscribers(of: source(), count: observers, burst: burst, values: values) },
      tearDown: { await $0.leave() },
      work: { subscribers, iterations in
        for _ in 0..<iterations { await subscribers.play(burst: burst, send: send) }
        return iterations * burst * observers
      })
  }

  /// Observers come one at a time: each subscribes, takes the current value, and leaves. An operation is one observer.
  @inlinable
  public static func subscriptions<Source: Sendable, Values: AsyncSequence & SendableMetatype>(
    _ variant: String,
    source: @escaping @Sendable () -> Source,
    values: @escaping @Sendable (Source) -> Values
  ) -> Benchmark
  where Values.Element == Int, Values.Failure == Never, Values.AsyncIterator: SendableMetatype {
    Benchmark(variant, subject: source) { source, iterations in
      for _ in 0..<iterations {
        for await value in values(source) {
          blackHole(value)
          break
        }
      }
      return iterations
    }
  }
}
