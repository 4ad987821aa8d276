import AsyncViewModelsGCD
import AsyncViewModelsUI
import Dispatch

// The code of the guide `MigrateOneViewModel`: one view model, before the migration and after each step.

protocol LegacyOrders: Sendable {
  func orders(completion: @escaping @Sendable (Result<[String], any Error>) -> Void) -> OrdersRequest
}

struct OrdersRequest: Sendable {
  let cancel: @Sendable () -> Void
}

/// The view model before the migration.
enum Before {
  struct OrdersState: Sendable {
    var orders: [String] = []
    var isLoading = false
    var failure: (any Error)?

    mutating func receive(_ result: Result<[String], any Error>) {
      isLoading = false
      switch result {
      case .success(let orders): (self.orders, failure) = (orders, nil)
      case .failure(let error): failure = error
      }
    }
  }

  final class OrdersModel: @unchecked Sendable {
    private let queue = DispatchQueue(label: "orders")
    private let service: any LegacyOrders
    private var state = OrdersState()  // guarded by `queue`
    private var request: OrdersRequest?  // guarded by `queue`
    private var onChange: (@Sendable (OrdersState) -> Void)?  // guarded by `queue`

    init(service: any LegacyOrders) { self.service = service }

    func bind(_ onChange: @escaping @Sendable (OrdersState) -> Void) {
      queue.async {
        self.onChange = onChange
        self.update { _ in }
      }
    }

    func load() {
      queue.async {
        self.request?.cancel()
        self.update { $0.isLoading = true }
        self.request = self.service.orders { [weak self] result in
          guard let self else { return }
          queue.async { self.update { $0.receive(result) } }
        }
      }
    }

    private func update(_ change: (inout OrdersState) -> Void) {
      change(&state)
      guard let onChange else { return }
      DispatchQueue.main.async { [state] in onChange(state) }
    }
  }
}

struct OrdersState: Sendable {
  var load = Loadable<[String]>()

  var orders: [String] { load.value ?? [] }
  var isLoading: Bool { load.isLoading }
  var failure: (any Error)? { load.failure }
}

/// Steps 1 and 2: the state is published as a stream, and a screen observes it.
enum Streamed {
  final class OrdersModel: StateSource, @unchecked Sendable {
    let store = StateStore(OrdersState())
    private let queue = DispatchQueue(label: "orders")
    private let service: any LegacyOrders
    private let slot: RequestSlot  // guarded by `queue`

    init(service: any LegacyOrders) {
      self.service = service
      slot = RequestSlot(queue: queue)
    }

    func bind(_ onChange: @escaping @Sendable (OrdersState) -> Void) -> CancellationToken {
      states().observe(on: .main, onChange)
    }

    func load() {
      queue.async { [self] in
        store.update { $0.load.begin() }
        slot.run { completion in
          CancellationToken(onCancel: service.orders(completion: completion).cancel)
        } receive: { [weak self] result in
          self?.store.update { $0.load.receive(TaskOutcome(result)) }
        }
      }
    }
  }

  @MainActor
  final class OrdersScreen {
    private(set) var shown = OrdersState()
    private let model: OrdersModel
    private let bindings = ScreenBindings()

    init(model: OrdersModel) { self.model = model }

    func viewDidLoad() {
      bindings.observe(model, on: self) { screen, state in screen.shown = state }
      model.load()
    }

    func didPullToRefresh() { model.load() }
  }
}

// Step 3: an adapter for each direction.

protocol Orders: Sendable {
  func orders() async throws -> [String]
}

/// Makes an async function from a completion handler.
struct AsyncOrders: Orders {
  let legacy: any LegacyOrders

  func orders() async throws -> [String] {
    try await withCompletionHandler { completion in
      CancellationToken(onCancel: legacy.orders(completion: completion).cancel)
    }
  }
}

/// Calls a completion handler with the result of an async function.
struct ClosureOrders: LegacyOrders {
  let service: any Orders

  func orders(completion: @escaping @Sendable (Result<[String], any Error>) -> Void) -> OrdersRequest {
    let token = CancellationToken.run(completion: completion) { try await service.orders() }
    return OrdersRequest { token.cancel() }
  }
}

/// Step 4: an actor on the old queue.
enum OnQueue {
  actor OrdersModel: ViewModelActor {
    nonisolated let modelState: ModelState<OrdersState>
    private let queue = DispatchQueue(label: "orders")
    private let service: any LegacyOrders
    private let slot: RequestSlot

    init(service: any LegacyOrders) {
      modelState = ModelState(OrdersState(), on: QueueIsolation(queue))
      self.service = service
      slot = RequestSlot(queue: queue)
    }

    nonisolated func load() {
      queue.async { self.assumeIsolated { $0.beginLoad() } }
    }

    private func beginLoad() {
      store.update { $0.load.begin() }
      slot.run { completion in
        CancellationToken(onCancel: service.orders(completion: completion).cancel)
      } receive: { [weak self] result in
        self?.store.update { $0.load.receive(TaskOutcome(result)) }
      }
    }
  }
}

/// Step 5: an actor that awaits the async service.
enum Migrated {
  actor OrdersModel: ViewModelActor {
    nonisolated let modelState: ModelState<OrdersState>
    private let service: any Orders
    private let slot = TaskSlot(.latest)

    init(service: any Orders, isolation: (any Actor)? = nil) {
      modelState = ModelState(OrdersState(), on: isolation)
      self.service = service
    }

    func load() async {
      await slot.load(\.load, of: self) { [service] in try await service.orders() }
    }
  }
}
