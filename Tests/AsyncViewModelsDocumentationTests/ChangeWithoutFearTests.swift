#if !canImport(Darwin)
  import AsyncViewModels
  import AsyncViewModelsShadow
  import AsyncViewModelsSimulation
  import AsyncViewModelsTesting
  import Dispatch
  import SimulatedQueues
  import Testing

  /// The code of the article `ChangeWithoutFear`.
  @Suite("Article: change a view model without fear", .timeLimit(.minutes(5)), .endsWaits)
  struct ChangeWithoutFearTests {
    struct Offline: Error {}

    struct OrdersState: Equatable, Sendable {
      var isLoading = false
      var orders: [String] = []
    }

    typealias Fetch =
      @Sendable (@escaping @Sendable (Result<[String], any Error>) -> Void) -> CancellationToken

    final class OldOrders: @unchecked Sendable {
      private let queue = DispatchQueue(label: "orders")
      private let fetch: Fetch
      private var current = OrdersState()  // guarded by `queue`, like the other variables
      private var request: CancellationToken?
      private var onChange: (@Sendable (OrdersState) -> Void)?

      init(fetch: @escaping Fetch) { self.fetch = fetch }
      var state: OrdersState { queue.sync { current } }

      func observe(_ onChange: @escaping @Sendable (OrdersState) -> Void) {
        queue.async {
          self.onChange = onChange
          onChange(self.current)
        }
      }

      func load() {
        queue.async { [self] in
          guard !current.isLoading else { return }
          change { $0.isLoading = true }
          request = fetch { result in
            self.queue.async { self.change { $0 = OrdersState(orders: (try? result.get()) ?? $0.orders) } }
          }
        }
      }

      private func change(_ change: (inout OrdersState) -> Void) {
        change(&current)
        onChange?(current)
      }
    }

    func loads(
      _ service: ScriptedCalls<Void, [String]>, _ states: ProbedStream<OrdersState>, load: () -> Void
    ) async throws {
      load()
      load()
      try await states.expect { $0.isLoading = true }
      try await service.next().fail(Offline())
      try await states.expect { $0.isLoading = false }
      load()
      try await states.expect { $0.isLoading = true }
      try await service.next().succeed(["bread"])
      try await states.expect { $0 = OrdersState(orders: ["bread"]) }
    }

    @Test("the old orders make one request for two loads, and repeat a failed one")
    func old() async throws {
      try await ViewModelProbe.check { probe in
        let service = probe.watch(ScriptedCalls<Void, [String]>())
        let model = probe.track(OldOrders { service((), completion: $0) })
        let states = try await probe.states(startingWith: nil) { model.observe($0) }
        try await loads(service, states) { model.load() }
      }
    }

    @Test("the article shows what a probe says about a state that the test does not mention")
    func forgottenState() async throws {
      let error = try await #require(throws: ProbeError.self) {
        try await ViewModelProbe.check { probe in
          let service = probe.watch(ScriptedCalls<Void, [String]>())
          let model = OldOrders { service((), completion: $0) }
          let states = try await probe.states(startingWith: nil) { model.observe($0) }
          model.load()
          try await states.expect { $0.isLoading = true }
          try await service.next().succeed(["bread"])
          // A busy machine runs the queue late, and a probe can miss what comes after the test.
          try await until { model.state.orders == ["bread"] }
        }
      }
      try expectOutput(error.description, in: Repository.article("ChangeWithoutFear"))
    }

    /// The view model of step 2, which loses the orders when a reload fails.
    enum FirstVersion {
      actor NewOrders: ViewModelActor {
        nonisolated let modelState = ModelState(OrdersState())
        private let fetch: @Sendable () async throws -> [String]

        init(fetch: @escaping @Sendable () async throws -> [String]) { self.fetch = fetch }

        func load() async {
          guard !state.isLoading else { return }
          store.update { $0.isLoading = true }
          let orders = try? await fetch()
          store.update { $0 = OrdersState(orders: orders ?? []) }
        }
      }

      enum Intent { case load }

      static let contract = RecordedContract<Intent>(intents: [.load], queues: .simulated) { recording in
        let model = OldOrders {
          CancellationToken(onCancel: recording.request("orders", answers: answers, completion: $0))
        }
        model.observe { recording.show(["orders": $0.orders, "loads": $0.isLoading]) }
        return { _ in model.load() }
      } new: { recording in
        let model = NewOrders { try await recording.request("orders", answers: answers) }
        recording.follow(model.states()) { recording.show(["orders": $0.orders, "loads": $0.isLoading]) }
        return { _ in await model.load() }
      }

      @Sendable static func answers(number: Int) -> [Result<[String], any Error>] {
        [.success(["order \(number)"]), .failure(Offline())]
      }
    }

    @Test("the article shows the reduced script of the lost orders")
    func difference() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await FirstVersion.contract.compare(seeds: 1...200)
      }
      guard case .expectation(let reason, _) = failure.reason else {
        Issue.record(failure)
        return
      }
      try expectOutput(reason, in: Repository.article("ChangeWithoutFear"))
    }

    actor NewOrders: ViewModelActor {
      nonisolated let modelState = ModelState(OrdersState())
      private let fetch: @Sendable () async throws -> [String]

      init(fetch: @escaping @Sendable () async throws -> [String]) { self.fetch = fetch }

      func load() async {
        guard !state.isLoading else { return }
        store.update { $0.isLoading = true }
        let orders = try? await fetch()
        store.update { $0 = OrdersState(orders: orders ?? $0.orders) }
      }
    }

    static let contract = RecordedContract<FirstVersion.Intent>(intents: [.load], queues: .simulated) {
      recording in
      let model = OldOrders {
        CancellationToken(
          onCancel: recording.request("orders", answers: FirstVersion.answers, completion: $0))
      }
      model.observe { recording.show(["orders": $0.orders, "loads": $0.isLoading]) }
      return { _ in model.load() }
    } new: { recording in
      let model = NewOrders { try await recording.request("orders", answers: FirstVersion.answers) }
      recording.follow(model.states()) { recording.show(["orders": $0.orders, "loads": $0.isLoading]) }
      return { _ in await model.load() }
    }

    @Test("the new orders behave as the old ones")
    func same() async throws { try await Self.contract.compare(seeds: 1...200) }

    @Test("the printed script passes after the repair")
    func failedReload() async throws {
      try await Self.contract.compare([
        .perform(.load),
        .answer(0, with: 0),
        .perform(.load),
        .answer(0, with: 1),
      ])
    }

    @Test("the new orders pass the test of the old ones")
    func new() async throws {
      try await ViewModelProbe.check { probe in
        let service = probe.watch(ScriptedCalls<Void, [String]>())
        let model = probe.track(NewOrders { try await service(()) })
        let states = try await probe.states(model.states(.unbounded))
        try await loads(service, states) { probe.send { await model.load() } }
      }
    }

    @Test("the shadow of the new orders does not differ, and makes no request")
    @MainActor func shadowed() async throws {
      let (service, clock) = (ScriptedCalls<Void, [String]>(), VirtualClock())
      let fetch: Fetch = { service((), completion: $0) }
      var differences: [ShadowDifference] = []
      func log(_ difference: ShadowDifference) { differences.append(difference) }
      let calls = ShadowCalls()
      let old = OldOrders { calls.record("orders", completion: $0, from: fetch) }
      let comparison = ShadowComparison(
        old: old, state: { $0.state },
        new: NewOrders { try await calls.replay("orders") }, state: { $0.state },
        calls: calls, clock: clock
      ) { difference in log(difference) }

      comparison.perform("load") {
        $0.load()
      } new: {
        await $0.load()
      }

      try await service.next().succeed(["bread"])
      while calls.isRecording, comparison.comparedCount == 0 {
        try await until { clock.sleeperCount > 0 || comparison.comparedCount > 0 || !calls.isRecording }
        clock.advance(by: .seconds(1))
      }
      #expect(differences.isEmpty, "\(differences)")
      try await until { old.state.orders == ["bread"] }
      #expect(service.requests.count == 1)
    }

    @Test("the code of this file contains the examples of the article, in the same order")
    func examples() throws {
      try expectExamples(of: Repository.article("ChangeWithoutFear"), in: "ChangeWithoutFearTests.swift")
    }
  }
#endif
