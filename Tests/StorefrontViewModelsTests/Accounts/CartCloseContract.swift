import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Synchronization
import Testing

/// The end of a cart when the shopper signs out, in every stage.
@Suite("Cart: close", .timeLimit(.minutes(5)), .endsWaits)
struct CartCloseContract {
  private let service = ScriptedCartService()
  private let storage = ScriptedCartStorage()

  @Test(
    "a closed cart stores and sends nothing, also after the answer of a change that was being sent",
    arguments: ContractStage.allCases)
  func changeInFlight(stage: ContractStage) async throws {
    try await withCart(stage, service: service, storage: storage) { model in
      let first = model.start(.add(.apple, quantity: 2))
      let call = try await service.calls.next()
      try await storage.saves.next().succeed(())
      try await model.flush().value
      let states = StateRecorder(model.states())
      let second = model.start(.add(.apple, quantity: 3))
      try await states.first { $0.pendingCount == 2 }
      let save = try await storage.saves.next()

      let closed = await model.close()
      await #expect(throws: CartError.closed) { try await first.value }
      await #expect(throws: CartError.closed) { try await second.value }
      save.succeed(())
      await closed.value
      call.succeed()
      await #expect(throws: CartError.closed) { try await model.add(.pear, quantity: 1) }
      await #expect(throws: CartError.closed) { try await model.flush().value }
      model.discardUnanswered()
      await (await model.load()).value
      await (await model.close()).value
      #expect(model.state.isClosed && !model.state.isLoading)
      #expect(model.state.pendingCount == 2 && model.state.cart.itemCount == 5)
    }
    #expect(storage.saves.requests.count == 2)
    #expect(service.calls.requests.count == 1 && service.loads.requests.isEmpty)
  }

  @Test(
    "a close waits for the save in progress, and a change that was made during this save is not stored",
    arguments: ContractStage.native)
  func saveInProgress(stage: ContractStage) async throws {
    try await withCart(stage, storage: storage) { model in
      try await model.add(.apple, quantity: 1)
      let save = try await storage.saves.next()
      try await model.add(.pear, quantity: 1)
      let flushed = model.flush()
      let (first, second) = (await model.close(), await model.close())
      await #expect(throws: CartError.closed) { try await flushed.value }
      let hasEnded = Gate()
      let ending = Task {
        await first.value
        hasEnded.open()
      }
      for _ in 0..<20 { await Task.detached {}.value }
      #expect(!hasEnded.isOpen)
      save.fail(StorageError.closed(file: "cart.json"))
      await ending.value
      await second.value
      await #expect(throws: CartError.closed) { try await model.add(.apple, quantity: 1) }
      #expect(model.state.saveFailure == nil)
    }
    #expect(storage.saves.requests.count == 1)
  }

  @Test("a close fails the pending changes in their order")
  func order() async throws {
    let (order, queue) = (Notes(), DispatchQueue(label: "callbacks"))
    let cart = CartClosureViewModel(service: service, callbackQueue: queue)
    for number in 1...5 { cart.add(.apple) { _ in order.add("\(number)") } }
    let call = try await service.calls.next()
    cart.close()
    queue.sync {}
    #expect(order.all == (1...5).map { "\($0)" })
    call.succeed()
  }

  @Test("a close without a storage ends at once", arguments: ContractStage.native)
  func noStorage(stage: ContractStage) async throws {
    try await withCart(stage, service: service) { model in
      await (await model.close()).value
      await #expect(throws: CartError.closed) { try await model.remove(CatalogProduct.apple.id) }
    }
    #expect(service.calls.requests.isEmpty)
  }

  @Test("a close ends a load, and its answer is not shown", arguments: ContractStage.inProcess)
  func loadInProgress(stage: ContractStage) async throws {
    let service = ScriptedCartService(ignoringCancellation: true)
    try await withCart(stage, service: service) { model in
      let loaded = await model.load()
      let call = try await service.loads.next()
      await (await model.close()).value
      await loaded.value
      await call.waitForCancellation()
      call.succeed(Cart(currency: .usd, items: [CartItem(product: .apple, quantity: 1)]))
    }
  }

  @Test(
    "a closed cart leaves its feed, and a load does not follow it again", arguments: ContractStage.inProcess)
  func feed(stage: ContractStage) async throws {
    let feed = ScriptedProductFeed()
    try await LeakTracker.check { tracker in
      let model = stage.makeCart(service: service, feed: feed)
      tracker.track(model.subject)
      let loaded = await model.load()
      try await service.loads.next().succeed(Cart())
      await loaded.value
      await feed.waitForReaders(1)
      await (await model.close()).value
      await feed.waitForReaders(0)
      await (await model.load()).value
      #expect(!model.state.following.isActive)
    }
  }

  @Test("the states end with the closed cart", arguments: ContractStage.streams)
  func states(stage: ContractStage) async throws {
    try await withCart(stage, service: service) { model in
      let states = model.states()
      await (await model.close()).value
      var last: CartState?
      for await state in states { last = state }
      #expect(last?.isClosed == true)
    }
  }

  @Test(
    "a cart that is closed while a change begins stores nothing after that",
    arguments: MigrationStage.allCases)
  func race(stage: MigrationStage) async throws {
    for _ in 0..<50 {
      let storage = CountingStorage()
      let count = try await LeakTracker.check { tracker in
        let model = stage.makeCart(storage: storage)
        tracker.track(model.subject)
        let adding = Task.detached { try await model.add(.apple, quantity: 1) }
        await (await model.close()).value
        let count = storage.count
        _ = await adding.result
        #expect(count <= 1)
        return count
      }
      #expect(storage.count == count)
    }
  }

  @Test("a closed cart ignores all that comes after")
  func rules() throws {
    var state = CartState(hasService: true)
    let request = try #require(try state.begin(.add(.apple, quantity: 2)).requests.first)
    state.following.begin()
    state.close()
    let shown = state
    let answers: [TaskOutcome<Void>] = [.success(()), .failure(ServiceError.busy)]
    for answer in answers {
      let step = state.receive(answer, for: request)
      #expect(step.requests.isEmpty && step.results.isEmpty)
    }
    #expect(throws: CartError.closed) { try state.begin(.remove(1)) }
    #expect(state.beginLoad().requests.isEmpty)
    #expect(state.discardUnanswered().results.isEmpty)
    state.receive(.price(1, 80))
    state.following.end(.failure(ServiceError.offline))
    state.recordWrite(.failure(StorageError.closed(file: "cart.json")))
    #expect(!state.canFollow)
    #expect(state == shown && state.pendingCount == 1)
  }
}

/// Counts the saves, each of which succeeds at once.
private final class CountingStorage: CartStorage, CartClosureStorage {
  private let saves = Atomic(0)

  var count: Int { saves.load(ordering: .relaxed) }

  func load() async throws -> StoredValue<SavedCart> { StoredValue(nil) }

  func load(
    completion: @escaping @Sendable (Result<StoredValue<SavedCart>, any Error>) -> Void
  ) -> CancellationToken {
    completion(.success(StoredValue(nil)))
    return .finished
  }

  func save(_ cart: SavedCart) async throws { saves.add(1, ordering: .relaxed) }

  func save(
    _ cart: SavedCart, completion: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> CancellationToken {
    saves.add(1, ordering: .relaxed)
    completion(.success(()))
    return .finished
  }
}
