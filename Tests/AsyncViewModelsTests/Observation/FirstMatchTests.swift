import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

@Suite("StateStore: firstNonNil and first", .timeLimit(.minutes(5)), .endsWaits)
struct FirstMatchTests {
  private let state = StateStore(1)

  @Test("a current value that matches is returned at once, even if the state is finished")
  func currentValue() async throws {
    #expect(try await state.firstNonNil { $0 == 1 ? "one" : nil } == "one")
    state.finish()
    #expect(try await state.firstNonNil { $0 == 1 ? "still" : nil } == "still")
    #expect(state.observerCount == 0)
  }

  @Test("`first` returns the value that satisfies its condition")
  func condition() async throws {
    #expect(try await state.first { $0 == 1 } == 1)
    let call = Task { [state] in try await state.first { $0 >= 3 } }
    try await until { state.waitingCount == 1 }
    state.send(2)
    try await until { state.waitingCount == 1 }
    state.send(3)
    #expect(try await call.value == 3)
    #expect(state.observerCount == 0)
  }

  @Test("the call waits for a value that matches, and then removes its observer")
  func laterValue() async throws {
    let call = Task { [state] in try await state.firstNonNil { $0 >= 3 ? $0 * 10 : nil } }
    try await until { state.waitingCount == 1 }
    state.send(2)
    try await until { state.waitingCount == 1 }
    state.send(3)
    #expect(try await call.value == 30)
    #expect(state.observerCount == 0)
  }

  @Test("`match` runs in the caller's isolation")
  @MainActor
  func isolation() async throws {
    let sender = Task.detached { [state] in for number in 2...100 { state.send(number) } }
    var seen: [Int] = []
    let last = try await state.firstNonNil { number -> Int? in
      MainActor.preconditionIsolated()
      seen.append(number)
      return number == 100 ? number : nil
    }
    #expect(last == 100)
    #expect(seen == seen.sorted())
    await sender.value
  }

  @Test("if the state finishes without a match, the call throws a cancellation error")
  func finished() async throws {
    let call = Task { [state] in try await state.firstNonNil { $0 > 1 ? $0 : nil } }
    try await until { state.waitingCount == 1 }
    state.finish()
    await #expect(throws: CancellationError.self) { try await call.value }
    await #expect(throws: CancellationError.self) { try await state.firstNonNil { $0 > 1 ? $0 : nil } }
  }

  @Test("a cancelled call throws and leaves no observer, even if its task was cancelled before the call")
  func cancelled() async throws {
    let call = Task { [state] in try await state.firstNonNil { $0 > 1 ? $0 : nil } }
    try await until { state.waitingCount == 1 }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(state.observerCount == 0)

    let early = Task { [state] in
      while !Task.isCancelled { await Task.yield() }
      return try await state.firstNonNil { $0 }
    }
    early.cancel()
    await #expect(throws: CancellationError.self) { try await early.value }
    #expect(state.observerCount == 0)
  }

  @Test("the call finds a value that stays current, even if the call races with the sends")
  func race() async throws {
    for _ in 0..<500 {
      let state = StateStore(0)
      async let answer = state.firstNonNil { $0 >= 20 ? $0 : nil }
      for number in 1...20 { state.send(number) }
      #expect(try await answer == 20)
      withExtendedLifetime(state) {}
    }
  }
}
