import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What the cart saves in its storage, and when, in every stage.
@Suite("Cart: saves", .timeLimit(.minutes(5)), .endsWaits)
struct CartSaveContract {
  @Test(
    "each change is saved before and after its answer: one save at a time, with the newest cart",
    arguments: ContractStage.native)
  func saves(stage: ContractStage) async throws {
    let (service, storage) = (ScriptedCartService(), ScriptedCartStorage())
    try await withCart(stage, service: service, storage: storage) { model in
      let added = model.start(.add(.apple, quantity: 2))
      let call = try await service.calls.next()
      let first = try await storage.saves.next()
      #expect(first.request.cart.isEmpty)
      #expect(first.request.unanswered.map(\.key) == service.keys)
      #expect(first.request.unanswered.map(\.change) == [CartChange(product: .apple, delta: 2)])
      call.succeed()
      try await added.value
      let others = model.start(.add(.pear, quantity: 1))
      try await service.calls.next().succeed()
      try await others.value
      #expect(storage.saves.requests.count == 1, "one save at a time")
      first.succeed()
      let second = try await storage.saves.next()
      #expect(second.request == SavedCart(model.state.cart))
      second.succeed()
    }
    #expect(storage.saves.requests.count == 2)
  }

  @Test(
    "without a service, each change is saved, and the error of a save is shown",
    arguments: ContractStage.native)
  func saveFailure(stage: ContractStage) async throws {
    let storage = ScriptedCartStorage()
    try await withCart(stage, storage: storage) { model in
      let states = StateRecorder(model.states())
      try await model.add(.apple, quantity: 1)
      try await storage.saves.next().fail(StorageError.closed(file: "cart.json"))
      try await states.first { $0.saveFailure as? StorageError == .closed(file: "cart.json") }
      try await model.add(.apple, quantity: 1)
      try await storage.saves.next().succeed()
      try await states.first { $0.saveFailure == nil && $0.cart.itemCount == 2 }
    }
  }

  @Test(
    "a flush ends when a change that was made during a save is stored", arguments: ContractStage.native)
  func flush(stage: ContractStage) async throws {
    let storage = ScriptedCartStorage()
    try await withCart(stage, storage: storage) { model in
      try await model.add(.apple, quantity: 1)
      let first = try await storage.saves.next()
      try await model.add(.pear, quantity: 1)
      let flushed = model.flush()
      // In the closure and stream stages, returns after the flush has begun.
      await model.cancel()
      first.succeed()
      let second = try await storage.saves.next()
      #expect(second.request == SavedCart(model.state.cart) && second.request.cart.itemCount == 2)
      let hasEnded = Gate()
      let ending = Task {
        try await flushed.value
        hasEnded.open()
      }
      for _ in 0..<20 { await Task.detached {}.value }
      #expect(!hasEnded.isOpen)
      second.succeed()
      try await ending.value
    }
    #expect(storage.saves.requests.count == 2)
  }

  @Test(
    "without a storage, a flush succeeds", arguments: ContractStage.native)
  func flushWithoutStorage(stage: ContractStage) async throws {
    try await withCart(stage) { model in
      try await model.add(.apple, quantity: 1)
      try await model.flush().value
    }
  }
}
