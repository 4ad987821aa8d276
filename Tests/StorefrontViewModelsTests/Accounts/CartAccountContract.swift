import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The account for which the cart sends a change, in every stage.
@Suite("Cart: accounts", .timeLimit(.minutes(5)), .endsWaits)
struct CartAccountContract {
  private let service = ScriptedCartService()

  @Test(
    "a change that waits while the user changes is sent for the account of its intent",
    arguments: ContractStage.inProcess)
  func waiting(stage: ContractStage) async throws {
    try await withCart(stage, service: service) { model in
      let first = model.start(.add(.apple, quantity: 2))
      let call = try await service.calls.next()
      let (second, accounts) = try await beginSecond(.add(.apple, quantity: 3), model)
      call.succeed()
      try await service.calls.next().succeed()
      try await first.value
      try await second.value
      #expect(accounts.contains(service.accounts[1].number))
    }
  }

  @Test(
    "a load does not change the account of a change that was never sent", arguments: ContractStage.inProcess)
  func waitingDuringALoad(stage: ContractStage) async throws {
    try await withCart(stage, service: service) { model in
      let first = model.start(.add(.apple, quantity: 2))
      let call = try await service.calls.next()
      let (second, accounts) = try await beginSecond(.add(.apple, quantity: 3), model)
      let loaded = await model.load()
      call.succeed()
      try await service.calls.next().succeed()
      try await service.loads.next().succeed(Cart())
      await loaded.value
      try await first.value
      try await second.value
      #expect(accounts.contains(service.accounts[1].number))
    }
  }

  @Test(
    "a load sends unanswered changes for its own account, and the next change of the product does not",
    arguments: ContractStage.inProcess)
  func unanswered(stage: ContractStage) async throws {
    try await withCart(stage, service: service) { model in
      let before = AccountVersion.current.number
      let first = model.start(.add(.apple, quantity: 2))
      try await service.calls.next().fail(ServiceError.busy)
      _ = await first.result
      let accounts = before..<AccountVersion.advance().number

      let second = model.start(.add(.apple, quantity: 3))
      try await service.calls.next().fail(ServiceError.status(code: 401, message: "signed out"))
      await #expect(throws: CartError.self) { try await second.value }
      #expect(accounts.contains(service.accounts[1].number))

      let loaded = await model.load()
      try await service.calls.next().succeed()
      try await service.calls.next().succeed()
      try await service.loads.next().succeed(Cart())
      await loaded.value
      #expect(service.accounts[2].number >= accounts.upperBound)
      #expect(service.accounts[3].number >= accounts.upperBound, "its caller knew that it is unanswered")
    }
  }

  @Test(
    "a change from before a restart is sent for the account of the restart, or of the load that sends it",
    arguments: ContractStage.inProcess)
  func restart(stage: ContractStage) async throws {
    let saved = SavedCart(
      unanswered: [UnansweredChange(key: IdempotencyKey(), change: CartChange(product: .apple, delta: 2))])
    try await stage.check { tracker in
      let before = AccountVersion.current.number
      let model = stage.makeCart(restoring: saved, service: service)
      tracker.track(model.subject)
      let accounts = before..<AccountVersion.advance().number
      let added = model.start(.add(.apple, quantity: 3))
      try await service.calls.next().fail(ServiceError.status(code: 401, message: "signed out"))
      await #expect(throws: CartError.self) { try await added.value }
      #expect(accounts.contains(service.accounts[0].number))

      let loaded = await model.load()
      try await service.calls.next().succeed()
      try await service.calls.next().succeed()
      try await service.loads.next().succeed(Cart())
      await loaded.value
      #expect(service.accounts[1].number >= accounts.upperBound)
    }
  }

  /// Begins a second change, and then signs another user in. Returns the account versions of the time of the intent.
  private func beginSecond(
    _ intent: CartIntent, _ model: any CartDriver
  ) async throws -> (Task<Void, any Error>, Range<Int>) {
    let states = StateRecorder(model.states())
    let before = AccountVersion.current.number
    let change = model.start(intent)
    try await states.first { $0.pendingCount == 2 }
    return (change, before..<AccountVersion.advance().number)
  }
}
