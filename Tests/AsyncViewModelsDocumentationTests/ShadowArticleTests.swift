import AsyncViewModels
import AsyncViewModelsShadow
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing

/// The code of the landing page of `AsyncViewModelsShadow`.
@Suite("Article: shadow comparison", .timeLimit(.minutes(5)), .endsWaits)
@MainActor
struct ShadowArticleTests {
  protocol LegacyNews: Sendable {
    func headlines(
      completion: @escaping @Sendable (Result<[String], any Error>) -> Void
    ) -> CancellationToken
  }

  final class LegacyNewsModel: Sendable {
    private let service: any LegacyNews
    private let shown = Mutex<[String]>([])
    private let request = Mutex<CancellationToken?>(nil)

    init(service: any LegacyNews) { self.service = service }

    var headlines: [String] { shown.withLock { $0 } }

    func load() {
      let token = service.headlines { [self] result in
        if let news = try? result.get() { shown.withLock { $0 = news } }
      }
      request.withLock { $0 = token }
    }
  }

  struct RecordedNews: LegacyNews {
    let base: any LegacyNews
    let calls: ShadowCalls

    func headlines(
      completion: @escaping @Sendable (Result<[String], any Error>) -> Void
    ) -> CancellationToken {
      calls.record("headlines", completion: completion) { base.headlines(completion: $0) }
    }
  }

  struct ReplayedNews: NewsService {
    let calls: ShadowCalls

    func headlines() async throws -> [String] { try await calls.replay("headlines") }
  }

  private struct ScriptedNews: LegacyNews {
    let calls = ScriptedCalls<Void, [String]>()

    func headlines(
      completion: @escaping @Sendable (Result<[String], any Error>) -> Void
    ) -> CancellationToken {
      calls((), completion: completion)
    }
  }

  @Test("both view models load the same headlines with one request")
  func example() async throws {
    let (service, clock) = (ScriptedNews(), VirtualClock())
    var differences: [ShadowDifference] = []
    func log(_ difference: ShadowDifference) { differences.append(difference) }
    let calls = ShadowCalls()
    let old = LegacyNewsModel(service: RecordedNews(base: service, calls: calls))
    let comparison = ShadowComparison(
      old: old, state: { $0.headlines },
      new: NewsViewModel(service: ReplayedNews(calls: calls)), state: { $0.state.value ?? [] },
      calls: calls, clock: clock
    ) { difference in log(difference) }

    comparison.perform("load") {
      $0.load()
    } new: {
      await $0.load()
    }
    try await service.calls.next().succeed(["Swift 7 is out"])
    // The example records in debug builds only.
    while calls.isRecording, comparison.comparedCount == 0, differences.isEmpty {
      try await until {
        clock.sleeperCount > 0 || comparison.comparedCount > 0 || !differences.isEmpty
      }
      clock.advance(by: .seconds(1))
    }
    #expect(differences.isEmpty, "\(differences)")
    try await until { !old.headlines.isEmpty }
    #expect(old.headlines == ["Swift 7 is out"])
    #expect(service.calls.requests.count == 1)
  }

  @Test("the code of this file contains the examples of the landing page, in the same order")
  func examples() throws {
    try expectExamples(
      of: "Sources/AsyncViewModelsShadow/AsyncViewModelsShadow.docc/AsyncViewModelsShadow.md",
      in: "ShadowArticleTests.swift")
  }
}
