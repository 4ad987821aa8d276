import AsyncViewModels
import Synchronization

extension StressProgram {
  static var retries: [StressProgram] {
    [
      StressProgram(
        name: "retry", summary: "a sequence that breaks is read to its end, over several attempts",
        run: retrying),
      StressProgram(
        name: "observe-throwing",
        summary: "observe(on:_:completion:) passes all elements and then the end to its owner",
        run: onActors),
      StressProgram(
        name: "observe-throwing-main",
        summary: "observe(on:_:completion:) passes all elements and then the end to owners on the main actor",
        run: onMain),
    ]
  }

  private struct Broken: Error, Equatable {}

  /// A connection that breaks after each message, until all messages are sent.
  private final class Connection: Sendable {
    private let sent = Mutex(0)
    private let last: Int

    init(last: Int) { self.last = last }

    func connect() -> AsyncThrowingStream<Int, any Error> {
      let isFirst = Mutex(true)
      return AsyncThrowingStream {
        await Task.yield()
        guard isFirst.withLock({ exchange(&$0, with: false) }) else { throw Broken() }
        return self.sent.withLock { sent in
          guard sent < self.last else { return nil }
          sent += 1
          return sent
        }
      }
    }

    func messages(_ policy: RetryPolicy) -> RetryingSequence<AsyncThrowingStream<Int, any Error>> {
      RetryingSequence(policy) { self.connect() }
    }
  }

  private static func retrying(load: Load) async throws {
    let policies: [RetryPolicy] = [
      .constant(.zero), .constant(.nanoseconds(1), limit: 1, jitter: 1, stableTime: .zero),
      .exponential(
        from: .nanoseconds(1), upTo: .microseconds(1), limit: 1, jitter: 0.5, stableTime: .zero),
    ]
    try await load.inParallel { task in
      for round in 1...20 {
        let policy = policies[round % policies.count]
        var seen: [Int] = []
        for try await message in Connection(last: 20).messages(policy) { seen.append(message) }
        try expectEqual(seen, Array(1...20), "the messages")
        do {
          for try await _ in Connection(last: 20).messages(.never) {}
          try expect(false, "a sequence without retries did not throw")
        } catch is Broken {}
        let reader = Task {
          for try await _ in Connection(last: .max).messages(policy) {}
        }
        if round % 2 == 0 { await Task.yield() }
        reader.cancel()
        try await reader.value
      }
      var generator = SystemRandomNumberGenerator()
      try expectEqual(
        RetryPolicy.constant(.seconds(1), limit: 1).delay(beforeRetry: 2, using: &generator), nil,
        "a second retry")
    }
  }

  private actor Owner {
    private(set) var seen: [Int] = []
    private(set) var endings = 0
    private var token: CancellationToken?

    func follow(_ connection: Connection) {
      token = connection.messages(.constant(.zero)).observe(on: self) { owner, message in
        owner.seen.append(message)
        if message % 7 == 0 { await Task.yield() }
      } completion: { owner, result in
        if case .success = result { owner.endings += 1 }
      }
    }
  }

  private static func onActors(load: Load) async throws {
    try await load.inParallel { task in
      for round in 1...50 {
        var owner: Owner? = Owner()
        weak let released = owner
        await owner?.follow(Connection(last: round % 2 == 0 ? 20 : .max))
        if round % 2 == 0 {
          await until { await owner?.endings != 0 }
          try expectEqual(await owner?.seen, Array(1...20), "the messages")
        }
        owner = nil
        await until { released == nil }
      }
    }
  }

  @MainActor
  private final class Label {
    var seen: [Int] = []
    var endings = 0
    var token: CancellationToken?
  }

  @MainActor
  private static func onMain(load: Load) async throws {
    let labels = (0..<load.tasks).map { _ in Label() }
    for label in labels {
      label.token = Connection(last: 50).messages(.constant(.zero)).observe(on: label) { label, message in
        MainActor.assertIsolated()
        label.seen.append(message)
      } completion: { label, result in
        MainActor.assertIsolated()
        if case .success = result { label.endings += 1 }
      }
    }
    await until { labels.allSatisfy { $0.endings == 1 } }
    for label in labels { try expectEqual(label.seen, Array(1...50), "the messages") }
    withExtendedLifetime(labels) {}
  }
}
