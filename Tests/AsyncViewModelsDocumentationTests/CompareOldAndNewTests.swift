#if !canImport(Darwin)
  import AsyncViewModelsSimulation
  import Dispatch
  import SimulatedQueues
  import Testing

  /// The code of the article `CompareOldAndNew` of `AsyncViewModelsSimulation`.
  @Suite("Article: compare old and new", .timeLimit(.minutes(5)))
  struct CompareOldAndNewTests {
    private static let article =
      "Sources/AsyncViewModelsSimulation/AsyncViewModelsSimulation.docc/CompareOldAndNew.md"

    final class OldStock: @unchecked Sendable {
      private let queue = DispatchQueue(label: "stock")
      private let fetch: (@escaping (Result<Int, any Error>) -> Void) -> Void
      private let onChange: (Int) -> Void
      private var isLoading = false  // guarded by `queue`

      init(
        fetch: @escaping (@escaping (Result<Int, any Error>) -> Void) -> Void,
        onChange: @escaping (Int) -> Void
      ) {
        self.fetch = fetch
        self.onChange = onChange
      }

      func refresh(completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
          guard !isLoading else { return }
          isLoading = true
          fetch { result in
            self.queue.async {
              self.isLoading = false
              if case .success(let count) = result { self.onChange(count) }
              completion()
            }
          }
        }
      }
    }

    actor NewStock {
      nonisolated let counts: AsyncStream<Int>
      private let send: AsyncStream<Int>.Continuation
      private let fetch: @Sendable () async throws -> Int
      private var running: Task<Void, Never>?

      init(fetch: @escaping @Sendable () async throws -> Int) {
        self.fetch = fetch
        (counts, send) = AsyncStream.makeStream()
      }

      func refresh() async {
        let task =
          running ?? Task { [fetch, send] in if let count = try? await fetch() { send.yield(count) } }
        running = task
        await task.value
        if running == task { running = nil }
      }
    }

    enum Intent { case refresh }

    static let contract = RecordedContract<Intent>(
      intents: [.refresh], queues: .simulated
    ) { recording in
      let model = OldStock(
        fetch: { recording.request("stock", answers: stocks, completion: $0) },
        onChange: { recording.show(["count": $0]) })
      return { intent in
        recording.wait(for: "\(intent)") {
          await withCheckedContinuation { ended in model.refresh { ended.resume() } }
        }
      }
    } new: { recording in
      let model = NewStock { try await recording.request("stock", answers: stocks) }
      recording.follow(model.counts) { recording.show(["count": $0]) }
      return { intent in recording.wait(for: "\(intent)") { await model.refresh() } }
    }

    struct Offline: Error {}

    @Sendable static func stocks(number: Int) -> [Result<Int, any Error>] {
      [.success(10 + number), .failure(Offline())]
    }

    @Test("the article shows the reduced script of the lost completion")
    static func difference() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await contract.compare(seeds: 1...1_000)
      }
      guard case .expectation(let reason, _) = failure.reason else {
        Issue.record("\(failure)")
        return
      }
      try expectOutput(reason, in: article)
    }

    @Test("the pasted script fails in each order, and a shorter one passes")
    static func pasted() async throws {
      await #expect(throws: SimulationFailure.self) {
        try await contract.compare([
          .perform(.refresh),
          .perform(.refresh),
          .answer(0, with: 0),
        ])
      }
      try await contract.compare([.perform(.refresh), .answer(0, with: 0), .perform(.refresh)])
    }

    @Test("the code of this file contains the examples of the article, in the same order")
    static func examples() throws {
      try expectExamples(of: article, in: "CompareOldAndNewTests.swift", except: { $0.contains("@Test") })
    }
  }
#endif
