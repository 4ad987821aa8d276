import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

/// A thousand key strokes with ten pauses, in virtual time: the cost of typing, and the number of requests.
///
/// After each stroke, the benchmark waits until the stroke's timer is scheduled on the clock, because a user does not
/// type faster than that. Each answer but the last arrives after the strokes of the next word. A stage that then shows the
/// answer fails.
enum TypingBenchmarks {
  static let title = "1,000 key strokes with 10 pauses"
  static let bare = "bare Task for each stroke, that sleeps on the same clock"
  static let callsPerPause = "service calls per pause"

  static var group: BenchmarkGroup {
    BenchmarkGroup(
      section: "Search", title: title, unit: "key stroke", reference: bare,
      benchmarks: MigrationStage.allCases.map { .typing($0) } + [.bareTyping(bare)])
  }

  fileprivate static let pause = Duration.milliseconds(300)
  /// The text in the field after each stroke, for two sets of ten words. The sets take turns, so that the last answer is
  /// always a new one.
  fileprivate static let words = ["lamp", "desk"].map { name in
    (1...10).map { word in (1...100).map { stroke in "\(name) \(word) \(stroke)" } }
  }
}

/// Why the benchmark of a stage ends: a state shows the answer to a text that the user has changed since.
private struct StalePublication: Error, CustomStringConvertible {
  let shown: [TextHit]

  var description: String { "the late answer \(shown) is shown" }
}

/// Throws if a state shows results other than those from before the first stroke and the wanted ones.
private func requireCurrent(_ state: SearchState<TextHit>, _ before: [TextHit]?, _ wanted: [TextHit]?) throws
{
  guard let shown = state.results.value, shown != before, shown != wanted else { return }
  throw StalePublication(shown: shown)
}

extension Benchmark {
  fileprivate static func typing(_ stage: MigrationStage) -> Benchmark {
    Benchmark(stage.variant) {
      let (service, clock) = (ScriptedSearchService<TextHit>(ignoringCancellation: true), VirtualClock())
      let (rounds, pauses) = (Tally(), Tally())
      let search = stage.makeSearch(service: service, clock: clock)
      return Workload(
        run: { iterations in
          var states = search.states().makeAsyncIterator()
          for _ in 0..<iterations {
            let words = TypingBenchmarks.words[rounds.increment() % 2]
            let wanted = words.last?.last.map { [TextHit($0)] }
            let before = search.state.results.value
            var late: ScriptedCall<SearchCall, Page<TextHit>>?
            for word in words {
              for text in word {
                search.setQuery(text)
                await clock.waitForSleepers(1)
              }
              // The answer before the last one has arrived at least 100 strokes ago.
              try requireCurrent(search.state, before, wanted)
              late?.succeed([TextHit(late?.request.query ?? "")])
              clock.advance(by: TypingBenchmarks.pause)
              pauses.increment()
              late = try await service.calls.next()
            }
            late?.succeed([TextHit(late?.request.query ?? "")])
            while let state = await states.next(), state.results.value != wanted {
              try requireCurrent(state, before, wanted)
            }
          }
          return iterations * 1_000
        },
        metrics: {
          let calls = Double(service.calls.requests.count)
          return [Metric(TypingBenchmarks.callsPerPause, calls / Double(pauses.count))]
        })
    }
  }

  fileprivate static func bareTyping(_ variant: String) -> Benchmark {
    Benchmark(variant) { iterations in
      let clock = VirtualClock()
      for _ in 0..<iterations {
        for word in TypingBenchmarks.words[0] {
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
