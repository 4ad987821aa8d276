#if !canImport(Darwin)
  import AsyncViewModels
  import AsyncViewModelsSimulation
  import AsyncViewModelsTesting
  import Dispatch
  import SimulatedQueues
  import Testing

  /// A `ViewModelProbe` in a simulated world: each seed runs the same test in another order.
  @Suite("Simulation: a probe", .timeLimit(.minutes(5)))
  struct ProbeInSimulationTests {
    private struct News: Equatable, Sendable {
      var isLoading = false
      var headlines: [String] = []
    }

    private typealias Service = ScriptedCalls<Void, [String]>

    /// A class on a queue. A queue delivers its states.
    private final class OldModel: @unchecked Sendable {
      private let queue = DispatchQueue(label: "news")
      private let callbacks = DispatchQueue(label: "callbacks")
      private let service: Service
      private var news = News()  // guarded by `queue`
      private var request: CancellationToken?  // guarded by `queue`
      private let onChange: @Sendable (News) -> Void

      init(_ service: Service, onChange: @escaping @Sendable (News) -> Void) {
        (self.service, self.onChange) = (service, onChange)
      }

      func load() {
        queue.async { [self] in
          guard !news.isLoading else { return }
          change { $0.isLoading = true }
          request = service(()) { result in
            self.queue.async { self.change { $0 = News(headlines: (try? result.get()) ?? $0.headlines) } }
          }
        }
      }

      private func change(_ change: (inout News) -> Void) {
        change(&news)
        callbacks.async { [news, onChange] in onChange(news) }
      }
    }

    private actor NewModel {
      nonisolated let news = StateStore(News())
      private let service: Service
      private let checksTwice: Bool

      init(_ service: Service, checksTwice: Bool = false) {
        (self.service, self.checksTwice) = (service, checksTwice)
      }

      func load() async {
        guard !news.value.isLoading else { return }
        // A planted race: another load can start between the check and the change.
        if checksTwice { await Task.yield() }
        news.update { $0.isLoading = true }
        let headlines = try? await service(())
        news.update { $0 = News(headlines: headlines ?? $0.headlines) }
      }
    }

    /// Two loads make one request.
    private static func loadsOnce(
      _ service: Service, _ states: ProbedStream<News>, load: () -> Void
    ) async throws {
      load()
      load()
      try await states.expect { $0.isLoading = true }
      try await service.next().succeed(["Swift 7"])
      try await states.expect { $0 = News(headlines: ["Swift 7"]) }
    }

    private static func checkNewModel(checksTwice: Bool = false) async throws {
      try await simulate(seeds: 1...200) { world in
        try await ViewModelProbe.check(settling: { await world.settle(movingTime: false) }) { probe in
          let service = probe.watch(Service())
          let model = probe.track(NewModel(service, checksTwice: checksTwice))
          let states = try await probe.states(model.news.states(.unbounded))
          try await loadsOnce(service, states) { probe.send { await model.load() } }
        }
      }
    }

    @Test("the same test passes with an old class on queues, in each order")
    func old() async throws {
      try await simulate(seeds: 1...200, queues: .simulated) { world in
        try await ViewModelProbe.check(settling: { await world.settle(movingTime: false) }) { probe in
          let service = probe.watch(Service())
          var model: OldModel?
          let states = try await probe.states(startingWith: News()) {
            model = probe.track(OldModel(service, onChange: $0))
          }
          try await Self.loadsOnce(service, states) { model?.load() }
        }
      }
    }

    @Test("the same test passes with the actor that replaces the class, in each order")
    func new() async throws { try await Self.checkNewModel() }

    @Test("a race of the actor fails the test in some order, with the field that differs")
    func race() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await Self.checkNewModel(checksTwice: true)
      }
      #expect("\(failure)".contains("isLoading: expected false, received true"), "\(failure)")
    }
  }
#endif
