import Domain
import Testing
import ViewModelTesting

@Suite("Census assertions", .timeLimit(.minutes(1)), .enabled(if: Census.isTaken))
struct CensusAssertionTests {
  @Test("what lives is named, with its number")
  func living() async {
    await Census.scoped { census in
      let kept = (0..<3).map { _ in CensusEntry(.viewModel, "CartViewModel") }
      let error = CensusError.living(census.count)
      await #expect(throws: error) { try await Census.assertNothingLives() }
      #expect("\(error)" == "still alive: 3 view models: CartViewModel ×3")
      withExtendedLifetime(kept) {}
    }
  }

  @Test("a scope whose body leaves something alive fails, and another one beside it does not")
  func parallelScopes() async throws {
    let kept = ObservableState<CensusEntry?>(nil)
    let leaky = Task { try await Census.assertNothingLives { kept.send(CensusEntry(.task, "forgotten")) } }
    let clean = Task { try await Census.assertNothingLives { 42 } }
    #expect(try await clean.value == 42)
    await #expect(throws: CensusError.self) { try await leaky.value }
  }

  @Test("what was there before is not asked for")
  func beyond() async throws {
    try await Census.scoped { census in
      let old = CensusEntry(.observer, "screen")
      let before = census.count
      try await census.assertNothing(beyond: before)
      let new = CensusEntry(.observer, "screen")
      let error = CensusError.living(census.count.beyond(before))
      await #expect(throws: error) { try await census.assertNothing(beyond: before) }
      #expect("\(error)" == "still alive: 1 observer: screen")
      withExtendedLifetime((old, new)) {}
    }
  }

  @Test("work that is just ending gets the chance to let go")
  func fairChance() async throws {
    try await Census.assertNothingLives {
      let entry = CensusEntry(.task, "ending")
      Task {
        for _ in 0..<50 { await Task.yield() }
        entry.end()
      }
    }
  }

  @Test("the error of the checked body is passed on")
  func bodyThrows() async {
    await #expect(throws: CancellationError.self) {
      try await Census.assertNothingLives { throw CancellationError() }
    }
  }
}
