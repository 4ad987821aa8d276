import AsyncViewModels

let timing = [StressProgram("debounced and throttled numbers arrive in order", timed)]

/// A source of 1, 2, 3 … that suspends at every 16th number, and pauses at every 20th.
private struct Source: AsyncSequence, Sendable {
  let count: Int

  func makeAsyncIterator() -> Iterator { Iterator(count: count) }

  struct Iterator: AsyncIteratorProtocol {
    let count: Int
    private var last = 0

    init(count: Int) { self.count = count }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(TestError) -> Int? {
      guard last < count else { throw TestError() }
      last += 1
      if last % 16 == 0 { await Task.yield() }
      if last % 20 == 0 { try? await Task.sleep(for: .milliseconds(1)) }
      return last
    }

    mutating func next() async throws(TestError) -> Int? { try await next(isolation: nil) }
  }
}

/// Reads numbers that must increase, until the source throws.
private func read<Numbers: AsyncSequence>(_ numbers: Numbers) async throws -> [Int]
where Numbers.Element == Int, Numbers.Failure == TestError {
  var (found, iterator) = ([Int](), numbers.makeAsyncIterator())
  do throws(TestError) {
    while let number = try await iterator.next(isolation: nil) {
      found.append(number)
      if number % 3 == 0 { await Task.yield() }
    }
  } catch {
    try expectEqual(found, found.sorted(), "the order of the numbers")
    return found
  }
  throw Unexpected(description: "the error of the source was lost")
}

private func timed(load: Load) async throws {
  let endless = Duration.seconds(3_600)
  try await load.inParallel { _ in
    for _ in 1...3 {
      let source = Source(count: 60)
      try expectEqual(try await read(source.debounced(for: .milliseconds(1))).last, 60, "the last number")
      try expectEqual(try await read(source.throttled(for: .milliseconds(1))).last, 60, "the last number")
      try expectEqual(try await read(source.debounced(for: .zero)), Array(1...60), "with no interval")
      try expectEqual(try await read(source.throttled(for: .zero)), Array(1...60), "with no interval")
      try expectEqual(try await read(source.debounced(for: endless)), [60], "with an endless interval")
      let throttled = source.throttled(for: endless)
      try expectEqual(try await read(throttled), [1, 60], "with an endless interval, the first and the last")
    }
  }
}
