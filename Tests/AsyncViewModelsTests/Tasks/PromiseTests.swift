import Synchronization
import Testing

@testable import AsyncViewModels
@testable import AsyncViewModelsTesting

@Suite("Promise", .timeLimit(.minutes(1)))
struct PromiseTests {
  private struct Failure: Error, Equatable {}

  @Test("a result that came before its reader is handed over")
  func resolvedBefore() async throws {
    let shot = Promise<Int>()
    #expect(shot.resolve(.success(1)))
    #expect(try await shot.value == 1)
  }

  @Test("a reader that came before its result waits for it")
  func resolvedAfter() async throws {
    for _ in 0..<1_000 {
      let shot = Promise<Int>()
      let reader = Task { try await shot.value }
      await Task.yield()
      #expect(shot.resolve(.success(1)))
      #expect(try await reader.value == 1)
    }
  }

  @Test("a failure is thrown")
  func failure() async {
    let shot = Promise<Int>()
    shot.resolve(.failure(Failure()))
    await #expect(throws: Failure()) { try await shot.value }
  }

  @Test("only the first result counts, before and after it was read")
  func firstCounts() async throws {
    let shot = Promise<Int>()
    #expect(shot.resolve(.success(1)))
    #expect(!shot.resolve(.success(2)))
    #expect(try await shot.value == 1)
    #expect(!shot.resolve(.failure(Failure())))
  }

  @Test("cancellation of the reader is nothing that it notices")
  func ignoresCancellation() async throws {
    let shot = Promise<Int>()
    let reader = Task { try await shot.value }
    reader.cancel()
    await Task.yield()
    shot.resolve(.success(1))
    #expect(try await reader.value == 1)
  }

  @Test("several resolve at once: one of them counts")
  func race() async throws {
    for _ in 0..<5_000 {
      let shot = Promise<Int>()
      let winners = Tally()
      let resolvers = (1...2).map { number in
        Task {
          guard shot.resolve(.success(number)) else { return 0 }
          winners.increment()
          return number
        }
      }
      let value = try await shot.value
      let numbers = await (resolvers[0].value, resolvers[1].value)
      #expect(winners.count == 1)
      #expect(value == numbers.0 + numbers.1)
    }
  }

  @Test("a result that has come can be taken without waiting, and that is a read")
  func take() {
    let shot = Promise<Int>()
    #expect(shot.take()?.value == nil)
    shot.resolve(.success(1))
    #expect(shot.take()?.value == 1)
    #expect(shot.take()?.value == nil)
    #expect(!shot.resolve(.success(2)))
  }

  @Test("a result that nobody reads is freed with its place")
  func freesTheUnread() async throws {
    try await LeakTracker.check { tracker in
      let shot = tracker.track(Promise<Reentrant>())
      shot.resolve(.success(tracker.track(Reentrant(1))))
    }
  }

  @Test("a result is freed when it has been read")
  func freesTheResult() async throws {
    let shot = Promise<Reentrant>()
    try await LeakTracker.check { tracker in
      shot.resolve(.success(tracker.track(Reentrant(1))))
      let result = try await shot.value
      #expect(result.number == 1)
    }
  }
}

extension Result {
  fileprivate var value: Success? { try? get() }
}
