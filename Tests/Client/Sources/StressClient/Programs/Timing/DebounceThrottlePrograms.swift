import AsyncViewModels

extension StressProgram {
  static var timing: [StressProgram] {
    debounceThrottle + debounceThrottleEnds + withDeadlines + isolatedDeadlines + abandoningDeadlines
      + scheduling
  }

  private static var debounceThrottle: [StressProgram] {
    [
      StressProgram(
        name: "debounce-throttle-order",
        summary:
          "elements arrive in order, and the last one is never dropped; errors arrive last",
        run: order),
      StressProgram(
        name: "debounce-throttle-exact",
        summary:
          "a zero interval drops no element; an endless interval passes at most the first and last element",
        run: exact),
    ]
  }

  private static let clocks: [any Clock<Duration>] = [ContinuousClock(), SuspendingClock()]

  /// The elements that a reader received, and whether its source failed.
  private struct Reading: Equatable {
    var numbers: [Int] = []
    var failed = false

    init(_ numbers: [Int] = [], failed: Bool = false) {
      self.numbers = numbers
      self.failed = failed
    }
  }

  private static func read<Source: AsyncSequence>(
    _ source: Source
  ) async throws(Unexpected) -> Reading where Source.Element == Int, Source.Failure == TestError {
    var reading = Reading()
    var iterator = source.makeAsyncIterator()
    do throws(TestError) {
      while let number = try await iterator.next(isolation: nil) { reading.numbers.append(number) }
    } catch {
      reading.failed = true
    }
    try expect(
      zip(reading.numbers, reading.numbers.dropFirst()).allSatisfy(<), "out of order: \(reading.numbers)")
    return reading
  }

  private static func order(load: Load) async throws {
    let reader = Reader()
    try await load.inParallel { task in
      for round in 1...3 {
        let numbers = Numbers(upTo: 60, fails: round % 2 == 0, pause: 5 + task % 20)
        let (interval, clock) = (Duration.milliseconds(1), clocks[round % 2])
        let debounced = numbers.debounced(for: interval, clock: clock)
        async let second = read(debounced)
        for reading in [try await read(debounced), try await second] {
          try expectEqual(reading.numbers.last, 60, "the last debounced number")
          try expectEqual(reading.failed, numbers.fails, "whether a debounced source failed")
        }
        let reading = try await read(numbers.throttled(for: interval, clock: clock))
        try expectEqual(reading.numbers.last, 60, "the last throttled number")
        try expectEqual(reading.failed, numbers.fails, "whether a throttled source failed")
        try expectEqual(
          try await reader.lastNumbers(of: Numbers(upTo: 60)), [60, 60, 60, 60, 60],
          "the last number of each loop on an actor")
      }
    }
  }

  private actor Reader {
    /// Reads the numbers in five loops, one after the other, and returns the last number of each.
    func lastNumbers(of numbers: Numbers) async throws -> [Int] {
      var last = [0, 0, 0, 0, 0]
      var debounced = numbers.debounced(for: .microseconds(100)).makeAsyncIterator()
      while let number = try await debounced.next(isolation: self) { last[0] = number }
      var throttled = numbers.throttled(for: .microseconds(100)).makeAsyncIterator()
      while let number = try await throttled.next(isolation: self) { last[1] = number }
      var (debouncedAgain, throttledAgain) = (
        numbers.debounced(for: .microseconds(100)).makeAsyncIterator(),
        numbers.throttled(for: .microseconds(100)).makeAsyncIterator()
      )
      while let number = try await debouncedAgain.next() { last[2] = number }
      while let number = try await throttledAgain.next() { last[3] = number }
      for try await number in numbers.throttled(for: .microseconds(100)) { last[4] = number }
      return last
    }
  }

  private static func exact(load: Load) async throws {
    let never = Duration.seconds(3_600)
    try await load.inParallel { task in
      for round in 1...15 {
        let fails = round % 2 == 0
        let numbers = Numbers(upTo: 40, fails: fails)
        let all = Reading(Array(1...40), failed: fails)
        try expectEqual(try await read(numbers.debounced(for: .zero)), all, "debounced with a zero interval")
        try expectEqual(try await read(numbers.throttled(for: .zero)), all, "throttled with a zero interval")
        let last = Reading([40], failed: fails)
        try expectEqual(
          try await read(numbers.debounced(for: never)), last, "debounced with an endless interval")
        // A reader that is too late for the first number receives only the last one.
        let both = try await read(numbers.throttled(for: never))
        try expect(
          both == Reading([1, 40], failed: fails) || both == last,
          "throttled with an endless interval: \(both)")
      }
    }
  }
}
