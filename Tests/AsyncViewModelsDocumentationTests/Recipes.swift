import AsyncViewModels
import Synchronization

// The code of the guide `MigrationRecipes`.

protocol AccountService: Sendable {
  func name() async throws -> String
  func orders() async throws -> [String]
}

struct AccountState: Sendable {
  var name = Loadable<String>()
  var orders = Loadable<[String]>()
}

actor AccountViewModel: ViewModelActor {
  nonisolated let modelState = ModelState(AccountState())
  private let service: any AccountService
  private let nameSlot = TaskSlot(.join)
  private let ordersSlot = TaskSlot(.join)

  init(service: any AccountService) { self.service = service }

  func load() async {
    async let name: Void = loadName()
    async let orders: Void = loadOrders()
    _ = await (name, orders)
  }

  func loadName() async {
    await nameSlot.load(\.name, of: self) { [service] in try await service.name() }
  }

  func loadOrders() async {
    await ordersSlot.load(\.orders, of: self) { [service] in try await service.orders() }
  }
}

protocol CatalogService: Sendable {
  func parts() -> AsyncThrowingStream<[String], any Error>
}

actor CatalogViewModel: ViewModelActor {
  nonisolated let modelState = ModelState(Loadable<[String]>())
  private let service: any CatalogService
  private let slot = TaskSlot(.latest)

  init(service: any CatalogService) { self.service = service }

  func load() async {
    store.update { $0.begin() }
    await slot.run(on: self) { [service] gate in
      let outcome = await TaskOutcome {
        var items: [String] = []
        for try await part in service.parts() {
          items += part
          await gate { [items] model in model.show(items) }
        }
        return items
      }
      await gate { model in model.store.update { $0.receive(outcome) } }
    } onCancel: { model in
      model.store.update { $0.cancel() }
    }
  }

  private func show(_ items: [String]) {
    store.update { state in
      state.receive(.success(items))
      state.begin()
    }
  }
}

protocol SearchService: Sendable {
  func results(for query: String) async throws -> [String]
}

actor SearchViewModel: ViewModelActor {
  nonisolated let modelState = ModelState(Loadable<[String]>())
  private let service: any SearchService
  private let slot = TaskSlot(.latest)
  private let inputs = TaskBag()

  init(service: any SearchService, typedText: AsyncStream<String>) {
    self.service = service
    inputs.insert(typedText.observe(on: self) { model, query in model.search(query) })
  }

  private func search(_ query: String) {
    store.update { $0.begin() }
    _ = slot.start(on: self) { [service] in
      try await service.results(for: query)
    } commit: { model, outcome in
      model.store.update { $0.receive(outcome) }
    }
  }
}

protocol SharedCart: Sendable {
  var state: [String] { get }
  func states(_ buffering: BufferingPolicy) -> AsyncStream<[String]>
  func add(_ product: String) async throws
}

actor ProductViewModel: ViewModelActor {
  nonisolated let modelState = ModelState(0)
  private let product: String
  private let cart: any SharedCart
  private let observations = TaskBag()

  init(product: String, cart: any SharedCart) {
    self.product = product
    self.cart = cart
    observations.insert(cart.states(.latest).observe(on: self) { model, _ in model.countProducts() })
  }

  func add() async throws {
    defer { countProducts() }
    try await cart.add(product)
  }

  private func countProducts() { store.send(cart.state.count { $0 == product }) }
}

protocol LegacyProfileService: AnyObject {
  func name(completion: @escaping (String?, (any Error)?) -> Void)
  func setName(_ name: String, completion: @escaping ((any Error)?) -> Void)
}

@MainActor
final class ProfileService {
  private let legacy: any LegacyProfileService

  init(_ legacy: any LegacyProfileService) { self.legacy = legacy }

  func name() async throws -> String {
    try await withCompletionHandler(valueAndError: {
      legacy.name(completion: $0)
      return .finished
    })
  }

  func setName(_ name: String) async throws {
    try await withCompletionHandler(error: {
      legacy.setName(name, completion: $0)
      return .finished
    })
  }
}

protocol DownloaderDelegate: AnyObject, Sendable {
  func downloaderDidReceive(bytes: Int)
  func downloaderDidEnd(_ error: (any Error)?)
}

final class DownloadEvents: DownloaderDelegate {
  enum Event: Sendable { case received(bytes: Int), ended((any Error)?) }

  let channel = EventChannel<Event>()

  func downloaderDidReceive(bytes: Int) { channel.send(.received(bytes: bytes)) }
  func downloaderDidEnd(_ error: (any Error)?) { channel.send(.ended(error)) }
}

actor SessionViewModel: ViewModelActor {
  nonisolated let modelState = ModelState(Loadable<String>())
  private let requestToken: @Sendable () async throws -> String
  private let slot = TaskSlot(.join)

  init(requestToken: @escaping @Sendable () async throws -> String) {
    self.requestToken = requestToken
  }

  /// The token, if it is known. Never waits.
  nonisolated var token: String? { state.value }

  func loadToken() async { await slot.load(into: self, requestToken) }
}

final class NameCache: Sendable {
  private let names = Mutex<[Int: String]>([:])

  subscript(id: Int) -> String? {
    get { names.withLock { $0[id] } }
    set { names.withLock { $0[id] = newValue } }
  }
}

actor StatusViewModel: ViewModelActor {
  nonisolated let modelState = ModelState(Loadable<String>())
  private let requestStatus: @Sendable () async throws -> String
  private let slot = TaskSlot(.join)

  init(requestStatus: @escaping @Sendable () async throws -> String) {
    self.requestStatus = requestStatus
  }

  func load() async { await slot.load(into: self, requestStatus) }

  /// Loads again and again, until the task of the caller is cancelled.
  func poll(every interval: Duration, clock: any Clock<Duration> = ContinuousClock()) async throws {
    while true {
      await load()
      try await clock.sleep(for: interval)
    }
  }
}

actor CounterViewModel: ViewModelActor {
  nonisolated let modelState = ModelState(0)

  nonisolated func increment() { store.update { $0 += 1 } }
}
