import AsyncViewModels
import AsyncViewModelsTesting
import Testing

/// Checks what the guide `MigrationRecipes` claims about its code, which is in `Recipes.swift`.
@Suite("Guide: recipes for a migration", .timeLimit(.minutes(5)), .endsWaits)
struct MigrationRecipesTests {
  private struct Offline: Error {}

  private struct ScriptedAccount: AccountService {
    let names = ScriptedCalls<Void, String>()
    let orderCalls = ScriptedCalls<Void, [String]>()

    func name() async throws -> String { try await names(()) }
    func orders() async throws -> [String] { try await orderCalls(()) }
  }

  @Test("a part appears while another one is loaded, fails alone, and can be loaded again on its own")
  func parts() async throws {
    let service = ScriptedAccount()
    let model = AccountViewModel(service: service)
    let states = StateRecorder(model.states())
    let load = Task { await model.load() }
    try await service.names.next().succeed("Ada")
    try await states.first { $0.name.value == "Ada" && $0.orders.isLoading }
    try await service.orderCalls.next().fail(Offline())
    await load.value
    #expect(model.state.name.value == "Ada" && model.state.orders.failure is Offline)
    let retry = Task { await model.loadOrders() }
    try await service.orderCalls.next().succeed(["tea"])
    await retry.value
    #expect(model.state.orders.value == ["tea"] && service.names.requests.count == 1)
  }

  @Test("a cancelled load of all parts cancels the requests")
  func cancelledParts() async throws {
    let service = ScriptedAccount()
    let model = AccountViewModel(service: service)
    let load = Task { await model.load() }
    let (name, orders) = (try await service.names.next(), try await service.orderCalls.next())
    load.cancel()
    await load.value
    await name.waitForCancellation()
    await orders.waitForCancellation()
    #expect(!model.state.name.isLoading && !model.state.orders.isLoading)
  }

  private struct StreamedCatalog: CatalogService {
    let streams = StateStore<[AsyncThrowingStream<[String], any Error>.Continuation]>([])

    func parts() -> AsyncThrowingStream<[String], any Error> {
      let (stream, continuation) = AsyncThrowingStream<[String], any Error>.makeStream()
      streams.update { $0.append(continuation) }
      return stream
    }
  }

  @Test("parts appear during a load; a part of a replaced or cancelled load never appears")
  func partialResults() async throws {
    let service = StreamedCatalog()
    let requests = StateRecorder(service.streams.states())
    let model = CatalogViewModel(service: service)
    let states = StateRecorder(model.states())
    let replaced = Task { await model.load() }
    let first = try await requests.first { $0.count == 1 }[0]
    first.yield(["tea"])
    try await states.first { $0.value == ["tea"] && $0.isLoading }
    let load = Task { await model.load() }
    let second = try await requests.first { $0.count == 2 }[1]
    first.yield(["late"])
    second.yield(["milk"])
    second.yield(["rice"])
    second.finish()
    await load.value
    await replaced.value
    #expect(model.state == Loadable(["milk", "rice"]))

    let cancelled = Task { await model.load() }
    _ = try await requests.first { $0.count == 3 }
    cancelled.cancel()
    await cancelled.value
    #expect(model.state == Loadable(["milk", "rice"]))
  }

  @Test("the cache returns what was stored")
  func cache() {
    let cache = NameCache()
    cache[1] = "tea"
    #expect(cache[1] == "tea" && cache[2] == nil)
  }

  private struct ScriptedSearch: SearchService {
    let calls = ScriptedCalls<String, [String]>()

    func results(for query: String) async throws -> [String] { try await calls(query) }
  }

  @Test("a newer text replaces a search; the text is not read after the view model is released")
  func search() async throws {
    let service = ScriptedSearch()
    let (typedText, typing) = AsyncStream<String>.makeStream()
    let ended = Gate()
    typing.onTermination = { _ in ended.open() }
    try await LeakTracker.check { tracker in
      let model = tracker.track(SearchViewModel(service: service, typedText: typedText))
      let states = StateRecorder(model.states())
      typing.yield("t")
      let stale = try await service.calls.next()
      typing.yield("tea")
      await stale.waitForCancellation()
      let call = try await service.calls.next()
      #expect(call.request == "tea")
      call.succeed(["green tea"])
      try await states.first { $0.value == ["green tea"] && !$0.isLoading }
    }
    await ended.wait()
  }

  private actor Cart: SharedCart, StateSource {
    nonisolated let store = StateStore<[String]>([])

    func add(_ product: String) { store.update { $0.append(product) } }
  }

  @Test("a screen shows what another one adds to the shared cart, and its own addition when the intent ends")
  func sharedCart() async throws {
    try await LeakTracker.check { tracker in
      let cart = tracker.track(Cart())
      let model = tracker.track(ProductViewModel(product: "tea", cart: cart))
      let states = StateRecorder(model.states())
      try await model.add()
      #expect(model.state == 1)
      await cart.add("tea")
      try await states.first { $0 == 2 }
      await cart.add("milk")
      try await model.add()
      #expect(model.state == 3)
    }
  }

  @MainActor
  private final class LegacyProfile: LegacyProfileService {
    private var stored: String?

    nonisolated init() {}

    func name(completion: @escaping (String?, (any Error)?) -> Void) {
      completion(stored, stored == nil ? Offline() : nil)
    }

    func setName(_ name: String, completion: @escaping ((any Error)?) -> Void) {
      stored = name.isEmpty ? stored : name
      completion(name.isEmpty ? Offline() : nil)
    }
  }

  @Test("handlers with an error, or with a value and an error, return or throw")
  @MainActor
  func handlers() async throws {
    let service = ProfileService(LegacyProfile())
    await #expect(throws: Offline.self) { try await service.name() }
    await #expect(throws: Offline.self) { try await service.setName("") }
    try await service.setName("Ada")
    #expect(try await service.name() == "Ada")
  }

  @Test("each observer receives each call of the delegate, in order")
  func delegate() async throws {
    let events = DownloadEvents()
    let observers = (1...2).map { _ in StateRecorder(events.channel.events()) }
    events.downloaderDidReceive(bytes: 1)
    events.downloaderDidReceive(bytes: 2)
    events.downloaderDidEnd(nil)
    for observer in observers {
      let received = try await observer.waitForStates(3).map { "\($0)" }
      #expect(received == ["received(bytes: 1)", "received(bytes: 2)", "ended(nil)"])
    }
  }

  @Test("the getter of the token never waits")
  func session() async throws {
    let calls = ScriptedCalls<Void, String>()
    let model = SessionViewModel { try await calls(()) }
    let load = Task { await model.loadToken() }
    let call = try await calls.next()
    #expect(model.token == nil)
    call.succeed("secret")
    await load.value
    #expect(model.token == "secret")
  }

  @Test("the status is loaded again after each interval, until the task is cancelled")
  func poll() async throws {
    let (clock, loads) = (VirtualClock(), Tally())
    let model = StatusViewModel { "\(loads.increment())" }
    let polling = Task { try await model.poll(every: .seconds(60), clock: clock) }
    await clock.waitForSleepers(1)
    #expect(model.state.value == "1")
    clock.advance(by: .seconds(60))
    await clock.waitForSleepers(1)
    #expect(model.state.value == "2")
    polling.cancel()
    await #expect(throws: CancellationError.self) { try await polling.value }
  }

  @Test("a tap changes the state before it returns")
  func taps() {
    let model = CounterViewModel()
    for _ in 1...2 { model.increment() }
    #expect(model.state == 2)
  }

  @Test("the code of this folder contains the examples of the guide, in the same order")
  func examples() throws {
    try expectExamples(of: Repository.article("MigrationRecipes"), in: "Recipes.swift")
  }
}
