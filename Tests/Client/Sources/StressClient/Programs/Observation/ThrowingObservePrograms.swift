import AsyncViewModels
import Synchronization

extension StressProgram {
  static var throwingObservations: [StressProgram] {
    [
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

  /// Returns the numbers from 1 on, up to `last`.
  private static func messages(upTo last: Int) -> AsyncThrowingStream<Int, any Error> {
    let sent = Mutex(0)
    return AsyncThrowingStream {
      await Task.yield()
      return sent.withLock { sent in
        guard sent < last else { return nil }
        sent += 1
        return sent
      }
    }
  }

  private actor Owner {
    private(set) var seen: [Int] = []
    private(set) var endings = 0
    private var token: CancellationToken?

    func follow(_ messages: AsyncThrowingStream<Int, any Error>) {
      token = messages.observe(on: self) { owner, message in
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
        await owner?.follow(messages(upTo: round % 2 == 0 ? 20 : .max))
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
      label.token = messages(upTo: 50).observe(on: label) { label, message in
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
