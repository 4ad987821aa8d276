import AsyncViewModels
import Dispatch

// The code of `Documentation/MigrateOneViewModel.md`: one view model, before the migration and after each step.

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

/// The legacy service: a completion handler, and an object that cancels a request.
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
    let token = performAsync(completion: completion) { try await service.orders() }
    return OrdersRequest { token.cancel() }
  }
}

/// As it was.
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

/// Step 1: the state is handed out as a stream.
enum Streamed {
  final class OrdersModel: @unchecked Sendable {
    private let queue = DispatchQueue(label: "orders")
    private let service: any LegacyOrders
    private let store = ObservableState(OrdersState())
    private var request: OrdersRequest?  // guarded by `queue`

    init(service: any LegacyOrders) { self.service = service }

    func states() -> AsyncStream<OrdersState> { store.stream() }

    func bind(_ onChange: @escaping @Sendable (OrdersState) -> Void) -> CancellationToken {
      deliver(states(), on: .main, to: onChange)
    }

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
  }
}

/// Step 4: an actor on the old queue.
enum Hosted {
  actor OrdersModel {
    private nonisolated let host: QueueIsolation
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }
    private let service: any LegacyOrders
    private nonisolated let store = ObservableState(OrdersState())
    private var request: OrdersRequest?

    init(service: any LegacyOrders, queue: DispatchQueue = DispatchQueue(label: "orders")) {
      host = QueueIsolation(queue)
      self.service = service
    }

    nonisolated func states() -> AsyncStream<OrdersState> { store.stream() }

    nonisolated func load() {
      host.queue.async { self.assumeIsolated { $0.begin() } }
    }

    private func begin() {
      request?.cancel()
      store.update { $0.isLoading = true }
      request = service.orders { [weak self] result in
        guard let self else { return }
        host.queue.async { self.assumeIsolated { $0.receive(result) } }
      }
    }

    private func receive(_ result: Result<[String], any Error>) {
      store.update { $0.receive(TaskOutcome(result)) }
    }
  }
}

/// Step 5: an actor that awaits.
enum Migrated {
  actor OrdersModel {
    private nonisolated let host: ActorHost
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }
    private let service: any Orders
    private nonisolated let store = ObservableState(OrdersState())
    private let loading = TaskSlot(.latest)

    init(service: any Orders, isolation: any Actor = Isolation()) {
      host = ActorHost(isolation)
      self.service = service
    }

    nonisolated func states() -> AsyncStream<OrdersState> { store.stream() }

    @discardableResult
    func load() -> Task<Void, Never> {
      store.update { $0.isLoading = true }
      return loading.run(on: self) { [service] in
        try await service.orders()
      } commit: { model, outcome in
        model.store.update { $0.receive(outcome) }
      }
    }
  }
}

/// Step 2: the screen, which keeps neither the model's closures nor itself.
@MainActor
final class OrdersScreen {
  private var observation: CancellationToken?
  private(set) var shown = OrdersState()

  func show(_ states: AsyncStream<OrdersState>) {
    observation = states.observe(on: self) { screen, state in screen.shown = state }
  }
}
