import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Testing

/// The code of the article `YourFirstViewModel`. `.ci/tutorials` compiles and tests the article itself.
@Suite("Article: your first view model", .timeLimit(.minutes(5)), .endsWaits)
enum YourFirstViewModelTests {
  private struct ScriptedNews: NewsService {
    let calls = ScriptedCalls<Void, [String]>()

    func headlines() async throws -> [String] { try await calls(()) }
  }

  private struct Offline: Error {}

  @Suite("the news", .timeLimit(.minutes(5)))
  struct NewsTests {
    @Test("a failed reload keeps the headlines")
    func failedReload() async throws {
      let service = ScriptedNews()
      let model = NewsViewModel(service: service)
      async let load: Void = model.load()
      try await service.calls.next().succeed(["Swift 7 is out"])
      await load
      #expect(model.state.value == ["Swift 7 is out"])

      async let reload: Void = model.load()
      try await service.calls.next().fail(Offline())
      await reload
      #expect(model.state.value == ["Swift 7 is out"])
      #expect(model.state.reloadFailure is Offline)
    }
  }

  /// The view model at the end of the article.
  actor NewsViewModel: ViewModelActor {
    nonisolated let modelState: ModelState<Loadable<[String]>>
    private let service: any NewsService
    private let slot = TaskSlot(.join)

    init(service: any NewsService, isolation: (any Actor)? = nil) {
      modelState = ModelState(Loadable(), on: isolation)
      self.service = service
    }

    func load() async { await slot.load(into: self) { [service] in try await service.headlines() } }
  }

  private struct SlowNews: NewsService {
    let world: SimulatedWorld

    func headlines() async throws -> [String] {
      try await world.faults.latency()
      return ["Swift 7 is out"]
    }
  }

  @Suite("interleavings of the news", .timeLimit(.minutes(5)))
  struct NewsInterleavingTests {
    @Test("a screen that leaves does not end the load of another screen")
    func leavingScreen() async throws {
      try await simulate(seeds: 1...1_000) { world in
        let model = NewsViewModel(service: SlowNews(world: world), isolation: world.isolation)
        let screen = world.spawn("screen") { await model.load() }
        world.spawn("second screen") { await model.load() }
        world.spawn("leave") { screen.cancel() }
        await world.settle()
        world.expectEqual(model.state, Loadable(["Swift 7 is out"]))
      }
    }
  }

  @Test("the code of this folder contains the examples of the article, in the same order")
  static func examples() throws {
    try expectExamples(
      of: Repository.article("YourFirstViewModel"), in: "NewsViewModel.swift", "NewsView.swift",
      "YourFirstViewModelTests.swift", except: { $0.contains("PackageDescription") })
  }
}
