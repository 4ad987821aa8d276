import AsyncViewModelsUI
import Dispatch

// The code of the guide `MigrateOneViewModel`: one view model, before the migration and after each step.

/// The legacy service. It takes a completion handler and returns an object that cancels the request.
protocol LegacyOrders: Sendable {
  func orders(completion: @escaping @Sendable (Result<[String], any Error>) -> Void) -> OrdersRequest
}

struct OrdersRequest: Sendable {
  let cancel: @Sendable () -> Void
}

/// The async service.
protocol Orders: Sendable {
  func orders() async throws -> [String]
}

/// The view model before the migration.
enum Before {
  final class OrdersModel: @unchecked Sendable {
    private let queue = DispatchQueue(label: "orders")
    private let service: any LegacyOrders
    private var current = OrdersState()  // guarded by `queue`
    private var request: OrdersRequest?  // guarded by `queue`
    private var onChange: (@Sendable (OrdersState) -> Void)?  // guarded by `queue`

    init(service: any LegacyOrders) { self.service = service }

    func bind(_ onChange: @escaping @Sendable (OrdersState) -> Void) {
      queue.async {
        self.onChange = onChange
        self.show()
      }
    }

    func load() {
      queue.async {
        self.request?.cancel()
        self.current.isLoading = true
        self.show()
        self.request = self.service.orders { [weak self] result in
          guard let self else { return }
          queue.async { self.receive(result) }
        }
      }
    }

    private func receive(_ result: Result<[String], any Error>) {
      current.receive(TaskOutcome(result))
      show()
    }

    private func show() {
      guard let onChange else { return }
      DispatchQueue.main.async { [current] in onChange(current) }
    }
  }
}

/// The state of a screen that lists orders.
struct OrdersState: Sendable {
  var orders: [String] = []
  var isLoading = false
  var failure: (any Error)?

  mutating func receive(_ outcome: TaskOutcome<[String]>) {
    isLoading = false
    switch outcome {
    case .success(let orders): (self.orders, failure) = (orders, nil)
    case .failure(let error): failure = error
    case .cancelled: break
    }
  }
}

/// Step 1: the state is published as a stream.
enum Streamed {
  final class OrdersModel: StateSource, @unchecked Sendable {
    let store = StateStore(OrdersState())
    private let queue = DispatchQueue(label: "orders")
    private let service: any LegacyOrders
    private var request: OrdersRequest?  // guarded by `queue`

    init(service: any LegacyOrders) { self.service = service }

    func load() {
      queue.async {
        self.request?.cancel()
        self.store.update { $0.isLoading = true }
        self.request = self.service.orders { [weak self] result in
          guard let self else { return }
          queue.async { self.store.update { $0.receive(TaskOutcome(result)) } }
        }
      }
    }

    func bind(_ onChange: @escaping @Sendable (OrdersState) -> Void) -> CancellationToken {
      states().observe(on: .main, onChange)
    }
  }
}

/// Step 2: a screen that observes the model. The observation retains neither the model nor the screen.
@MainActor
final class OrdersScreen {
  private var observation: CancellationToken?
  private(set) var shown = OrdersState()

  func show(_ model: some StateSource<OrdersState>) {
    observation = model.observe(on: self) { screen, state in screen.shown = state }
  }
}

/// Step 2: what a SwiftUI view does with the state.
@MainActor
struct OrdersView<Model: StateSource<OrdersState>> {
  private let orders: ObservedViewModel<Model>

  init(_ model: Model) { orders = ObservedViewModel(model) }

  var titles: [String] { orders.state.orders }
}

/// Step 3: an adapter for each direction, from the legacy service to the async service and back.
struct AsyncOrders: Orders {
  let legacy: any LegacyOrders

  func orders() async throws -> [String] {
    try await withCompletionHandler { completion in
      let request = legacy.orders(completion: completion)
      return CancellationToken(onCancel: request.cancel)
    }
  }
}

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
    private let queue: DispatchQueue
    private let service: any LegacyOrders
    private var request: OrdersRequest?

    init(service: any LegacyOrders, queue: DispatchQueue = DispatchQueue(label: "orders")) {
      modelState = ModelState(OrdersState(), on: QueueIsolation(queue))
      self.queue = queue
      self.service = service
    }

    nonisolated func load() {
      queue.async { self.assumeIsolated { $0.begin() } }
    }

    private func begin() {
      request?.cancel()
      store.update { $0.isLoading = true }
      request = service.orders { [weak self] result in
        guard let self else { return }
        queue.async { self.assumeIsolated { $0.receive(result) } }
      }
    }

    private func receive(_ result: Result<[String], any Error>) {
      store.update { $0.receive(TaskOutcome(result)) }
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
      store.update { $0.isLoading = true }
      await slot.run(on: self) { [service] in
        try await service.orders()
      } commit: { model, outcome in
        model.store.update { $0.receive(outcome) }
      }
    }
  }
}

/// Step 5: what a refresh control or `refreshable` does.
@MainActor
struct OrdersRefresh {
  let model: Migrated.OrdersModel
  let endRefreshing: @MainActor () -> Void

  func pull() async {
    await model.load()
    endRefreshing()
  }
}
