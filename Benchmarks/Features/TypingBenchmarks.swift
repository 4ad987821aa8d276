import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization

/// A thousand key strokes with ten pauses, in virtual time: the cost of typing, the number of requests, and whether an
/// answer to an older text ever shows.
///
/// After each stroke, the benchmark waits until the stroke's timer is scheduled on the clock, because a user does not
/// type faster than that.
enum TypingBenchmarks {
  static let title = "1,000 key strokes with 10 pauses"
  static let bare = "bare Task for each stroke, that sleeps on the same clock"
  static let callsPerPause = "service calls per pause"
  static let stale = "stale publications"

  static var group: BenchmarkGroup {
    BenchmarkGroup(
      section: "Search", title: title, unit: "key stroke", reference: bare,
      benchmarks: MigrationStage.allCases.map { .typing($0) } + [.bareTyping(bare)])
  }

  fileprivate static let pause = Duration.milliseconds(300)
  /// The text in the field after each stroke.
  fileprivate static let words = (1...10).map { word in (1...100).map { stroke in "lamp \(word) \(stroke)" } }
}

/// Answers with a hit that has the query's text, and counts the calls.
private final class EchoSearchService: SearchService, SearchClosureService {
  private let number = Atomic(0)
  var callCount: Int { number.load(ordering: .relaxed) }

  func results(for query: String) async throws -> [String] { answer(query) }

  func results(
    for query: String, completion: @escaping @Sendable (Result<[String], any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(answer(query)))
    return .ended
  }

  private func answer(_ query: String) -> [String] {
    number.add(1, ordering: .relaxed)
    return [query]
  }
}

extension Benchmark {
  fileprivate static func typing(_ stage: MigrationStage) -> Benchmark {
    Benchmark(stage.variant) {
      let (service, clock, stale) = (EchoSearchService(), VirtualClock(), Tally())
      let pauses = Tally()
      let search = stage.makeSearch(service: service, clock: clock)
      return Workload(
        run: { iterations in
          var states = search.states().makeAsyncIterator()
          for _ in 0..<iterations {
            for word in TypingBenchmarks.words {
              let before = search.state.results.value
              for text in word {
                search.setQuery(text)
                await clock.waitForSleepers(1)
              }
              clock.advance(by: TypingBenchmarks.pause)
              pauses.increment()
              var hits: [String]?
              while hits?.first != word.last {
                guard let state = await states.next() else { throw StatesEnded() }
                hits = state.results.value
                if let hits, hits != before, hits.first != word.last { stale.increment() }
              }
            }
          }
          return iterations * 1_000
        },
        metrics: {
          [
            Metric(TypingBenchmarks.callsPerPause, Double(service.callCount) / Double(pauses.count)),
            Metric(TypingBenchmarks.stale, Double(stale.count)),
          ]
        })
    }
  }

  fileprivate static func bareTyping(_ variant: String) -> Benchmark {
    Benchmark(variant) { iterations in
      let clock = VirtualClock()
      for _ in 0..<iterations {
        for word in TypingBenchmarks.words {
          var timer: Task<Void, any Error>?
          for _ in word {
            timer?.cancel()
            timer = Task { try await clock.sleep(for: TypingBenchmarks.pause) }
            await clock.waitForSleepers(1)
          }
          clock.advance(by: TypingBenchmarks.pause)
          try await timer?.value
        }
      }
      return iterations * 1_000
    }
  }
}
