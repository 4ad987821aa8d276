import AsyncViewModelsSimulation
import Testing

// The suite of the article. It begins in the line in which the reader's file begins, because the report names a line.
extension YourFirstSimulationTests {
  @Suite("the account", .timeLimit(.minutes(5)))
  struct AccountTests {
    @Test("two cards cannot overdraw the account")
    func overdrawn() async throws {
      try await simulate(seeds: 1...1_000) { world in
        let account = Account { try await world.faults.latency() }
        for card in ["card 1", "card 2"] {
          world.spawn(card) { try await account.withdraw(80) }
        }
        await world.settle()
        world.expectEqual(await account.balance, 20)
      }
    }
  }
}
