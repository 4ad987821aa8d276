import AsyncViewModels
import AsyncViewModelsTesting
import Testing

@Suite("LiveObjects assertions", .timeLimit(.minutes(5)), .endsWaits, .enabled(if: LiveObjects.areCounted))
struct LiveObjectsAssertionTests {
  @Test("the error names and counts the live objects")
  func living() async {
    await LiveObjects.scoped { liveObjects in
      let kept = (0..<3).map { _ in LiveObjectToken(.viewModel, "CartViewModel") }
      let error = LiveObjectsError.living(liveObjects.count)
      await #expect(throws: error) { try await LiveObjects.assertNothingLives() }
      #expect("\(error)" == "These objects are still alive: 3 view models: CartViewModel ×3")
      withExtendedLifetime(kept) {}
    }
  }

  @Test("a scope whose body leaves an object alive fails, and a parallel scope does not fail")
  func parallelScopes() async throws {
    let kept = StateStore<LiveObjectToken?>(nil)
    let leaky = Task {
      try await LiveObjects.assertNothingLives { kept.send(LiveObjectToken(.task, "forgotten")) }
    }
    let clean = Task { try await LiveObjects.assertNothingLives { 42 } }
    #expect(try await clean.value == 42)
    await #expect(throws: LiveObjectsError.self) { try await leaky.value }
  }

  @Test("objects that an earlier count contains are not reported as added")
  func added() async throws {
    try await LiveObjects.scoped { liveObjects in
      let old = LiveObjectToken(.observer, "screen")
      let before = liveObjects.count
      try await liveObjects.assertNothingAdded(since: before)
      let new = LiveObjectToken(.observer, "screen")
      let error = LiveObjectsError.living(liveObjects.count.subtracting(before))
      await #expect(throws: error) { try await liveObjects.assertNothingAdded(since: before) }
      #expect("\(error)" == "These objects are still alive: 1 observer: screen")
      withExtendedLifetime((old, new)) {}
    }
  }

  @Test("the check waits for a running task that soon ends its token")
  func workInFlight() async throws {
    try await LiveObjects.assertNothingLives {
      let token = LiveObjectToken(.task, "ending")
      Task {
        for _ in 0..<50 { await Task.yield() }
        token.end()
      }
    }
  }

  @Test("the error of the checked body is thrown")
  func bodyThrows() async {
    await #expect(throws: CancellationError.self) {
      try await LiveObjects.assertNothingLives { throw CancellationError() }
    }
  }
}
