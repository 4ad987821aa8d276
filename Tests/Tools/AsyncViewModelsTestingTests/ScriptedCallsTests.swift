import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing

@Suite("ScriptedCalls", .timeLimit(.minutes(5)), .endsWaits)
struct ScriptedCallsTests {
  @Test(
    "an answered call is not cancelled when its token is cancelled or dropped afterwards",
    arguments: [true, false])
  func answeredThenDropped(ignoringCancellation: Bool) async throws {
    let calls = ScriptedCalls<Int, Int>(ignoringCancellation: ignoringCancellation)
    var token: CancellationToken? = calls(1) { _ in }
    let call = try await calls.next()
    call.succeed(2)
    token?.cancel()
    token = nil
    #expect(!call.isCancelled)
    #expect(!call.isOpen)
  }

  @Test("a cancelled task no longer waits for the cancellation of a call")
  func cancelledWait() async throws {
    let calls = ScriptedCalls<Int, Int>()
    let token = calls(1) { _ in }
    let call = try await calls.next()
    let waiting = Task { await call.waitForCancellation() }
    waiting.cancel()
    await waiting.value
    #expect(!call.isCancelled)
    token.cancel()
  }

  @Test("an answered async call is not cancelled when its task is cancelled afterwards")
  func answeredThenCancelled() async throws {
    let calls = ScriptedCalls<Int, Int>()
    let answered = Gate()
    let caller = Task {
      let answer = try await calls(1)
      await answered.wait()
      return answer
    }
    let call = try await calls.next()
    call.succeed(2)
    await answered.waitForArrivals(1)
    caller.cancel()
    answered.open()
    #expect(try await caller.value == 2)
    #expect(!call.isCancelled)
  }

  @Test(
    "a cancelled call reports its cancellation, and also fails unless the service ignores cancellation",
    arguments: [true, false])
  func cancelled(ignoringCancellation: Bool) async throws {
    let calls = ScriptedCalls<Int, Int>(ignoringCancellation: ignoringCancellation)
    let failures = Mutex(0)
    let token = calls(1) { result in
      if case .failure(let error) = result, error.isCancellation { failures.withLock { $0 += 1 } }
    }
    let call = try await calls.next()
    #expect(!call.isCancelled)
    token.cancel()
    await call.waitForCancellation()
    #expect(call.isCancelled)
    #expect(call.isOpen == ignoringCancellation)
    #expect(failures.withLock { $0 } == (ignoringCancellation ? 0 : 1))
  }

  @Test("a test can ask a call often whether it is open")
  func manyLooks() async throws {
    let calls = ScriptedCalls<Int, Int>()
    let token = calls(1) { _ in }
    let call = try await calls.next()
    for _ in 0..<200_000 where !call.isOpen { Issue.record("the call has a response") }
    call.succeed(1)
    withExtendedLifetime(token) {}
  }

  @Test("a wait for the next call throws when its task is cancelled")
  func waitIsCancellable() async throws {
    let calls = ScriptedCalls<Int, Int>()
    let waiting = Task { try await calls.next() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
