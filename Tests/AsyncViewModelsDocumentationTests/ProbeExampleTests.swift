import AsyncViewModels
import AsyncViewModelsTesting
import Testing

/// The example in the documentation of `ViewModelProbe`.
@Suite("Documentation of ViewModelProbe", .timeLimit(.minutes(5)), .endsWaits)
struct ProbeExampleTests {
  struct News: Equatable, Sendable {
    var isLoading = false
    var headlines: [String] = []
  }

  actor NewsViewModel: ViewModelActor {
    nonisolated let modelState = ModelState(News())
    private let fetch: @Sendable () async throws -> [String]

    init(fetch: @escaping @Sendable () async throws -> [String]) { self.fetch = fetch }

    func load() async {
      store.update { $0.isLoading = true }
      let headlines = try? await fetch()
      store.update { $0 = News(headlines: headlines ?? $0.headlines) }
    }
  }

  @Test("the example mentions everything")
  func example() async throws {
    try await ViewModelProbe.check { probe in
      let service = probe.watch(ScriptedCalls<Void, [String]>())
      let model = probe.track(NewsViewModel { try await service(()) })
      let states = try await probe.states(model.states(.unbounded))
      probe.send { await model.load() }
      try await states.expect { $0.isLoading = true }
      try await service.next().succeed(["Swift 7"])
      try await states.expect {
        $0.isLoading = false
        $0.headlines = ["Swift 7"]
      }
    }
  }

  @Test("the code of this file contains the example")
  func code() throws {
    try expectExamples(
      of: "Sources/AsyncViewModelsTesting/Probe/ViewModelProbe.swift", in: "ProbeExampleTests.swift",
      except: { $0.contains("sink") })
  }
}
