/// A source of 1, 2, 3 … that suspends at every 16th number, and ends or fails.
struct Numbers: AsyncSequence, Sendable {
  let count: Int
  let fails: Bool
  /// The source sleeps for 1 ms each time it has produced this many numbers.
  let pause: Int

  init(upTo count: Int, fails: Bool = false, pause: Int = .max) {
    self.count = count
    self.fails = fails
    self.pause = pause
  }

  func makeAsyncIterator() -> Iterator { Iterator(numbers: self) }

  struct Iterator: AsyncIteratorProtocol {
    let numbers: Numbers
    var last = 0

    mutating func next(isolation actor: isolated (any Actor)?) async throws(TestError) -> Int? {
      guard last < numbers.count, !Task.isCancelled else {
        if numbers.fails, !Task.isCancelled { throw TestError() }
        return nil
      }
      last += 1
      if last % 16 == 0 { await Task.yield() }
      if last % numbers.pause == 0 { try? await Task.sleep(for: .milliseconds(1)) }
      return last
    }

    mutating func next() async throws(TestError) -> Int? { try await next(isolation: nil) }
  }
}
