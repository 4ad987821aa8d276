import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@testable import AsyncViewModels
@testable import AsyncViewModelsTesting

@Suite("Promise", .timeLimit(.minutes(5)), .endsWaits)
struct PromiseTests {
  private struct Failure: Error, Equatable {}

  @Test("a promise that is resolved before it is read returns its result")
  func resolvedBefore() async throws {
    let promise = Promise<Int>()
    #expect(promise.resolve(.success(1)))
    #expect(try await promise.value == 1)
  }

  @Test("a reader waits until the promise is resolved")
  func resolvedAfter() async throws {
    for _ in 0..<1_000 {
      let promise = Promise<Int>()
      let reader = Task { try await promise.value }
      await Task.yield()
      #expect(promise.resolve(.success(1)))
      #expect(try await reader.value == 1)
    }
  }

  @Test("if a promise is resolved with a failure, reading the promise throws that failure")
  func failure() async {
    let promise = Promise<Int>()
    promise.resolve(.failure(Failure()))
    await #expect(throws: Failure()) { try await promise.value }
  }

  @Test("only the first result counts: a later result is ignored, before and after the read")
  func firstCounts() async throws {
    let promise = Promise<Int>()
    #expect(promise.resolve(.success(1)))
    #expect(!promise.resolve(.success(2)))
    #expect(try await promise.value == 1)
    #expect(!promise.resolve(.failure(Failure())))
  }

  @Test("while the closure of resolve(throwing:afterCancelling:) runs, no other result counts")
  func cancelsFirst() async throws {
    let promise = Promise<Int>()
    promise.resolve(throwing: Failure()) {
      #expect(promise.take() == nil)
      #expect(!promise.resolve(.success(1)))
      promise.resolve(throwing: CancellationError()) { Issue.record("a second cancellation ran") }
    }
    await #expect(throws: Failure()) { try await promise.value }

    let resolved = Promise<Int>()
    resolved.resolve(.success(1))
    resolved.resolve(throwing: Failure()) { Issue.record("a late cancellation ran") }
    #expect(try await resolved.value == 1)
  }

  @Test("a reader that begins to wait while the cancellation closure runs resumes after the closure")
  func readDuringCancellation() async throws {
    let promise = Promise<Int>()
    let (isWaiting, hasCancelled) = (Gate(), Gate())
    let reader = Task {
      await isWaiting.wait()
      do {
        _ = try await promise.value
        return (false, hasCancelled.isOpen)
      } catch {
        return (error is Failure, hasCancelled.isOpen)
      }
    }
    // This closure spins until the reader waits. A separate queue keeps it off the threads of the concurrency
    // pool, which the reader and other tests need.
    DispatchQueue(label: "cancels").async {
      promise.resolve(throwing: Failure()) {
        isWaiting.open()
        while promise.phase.load(ordering: .relaxed) != .awaited {}
        hasCancelled.open()
      }
    }
    let (isFailure, cameAfter) = await reader.value
    #expect(isFailure)
    #expect(cameAfter)
  }

  @Test("a cancelled reader still waits for the result")
  func ignoresCancellation() async throws {
    let promise = Promise<Int>()
    let reader = Task { try await promise.value }
    reader.cancel()
    await Task.yield()
    promise.resolve(.success(1))
    #expect(try await reader.value == 1)
  }

  @Test("if two tasks resolve a promise at the same time, exactly one result counts")
  func race() async throws {
    for _ in 0..<5_000 {
      let promise = Promise<Int>()
      let winners = Tally()
      let resolvers = (1...2).map { number in
        Task {
          guard promise.resolve(.success(number)) else { return 0 }
          winners.increment()
          return number
        }
      }
      let value = try await promise.value
      let numbers = await (resolvers[0].value, resolvers[1].value)
      #expect(winners.count == 1)
      #expect(value == numbers.0 + numbers.1)
    }
  }

  @Test("take() reads an available result: a second take() returns nil, and a later result is ignored")
  func take() {
    let promise = Promise<Int>()
    #expect(promise.take()?.value == nil)
    promise.resolve(.success(1))
    #expect(promise.take()?.value == 1)
    #expect(promise.take()?.value == nil)
    #expect(!promise.resolve(.success(2)))
  }

  @Test("an unread result is freed with its promise")
  func freesTheUnread() async throws {
    try await LeakTracker.check { tracker in
      let promise = tracker.track(Promise<Reentrant>())
      promise.resolve(.success(tracker.track(Reentrant(1))))
    }
  }

  @Test("a result is freed after it was read")
  func freesTheResult() async throws {
    let promise = Promise<Reentrant>()
    try await LeakTracker.check { tracker in
      promise.resolve(.success(tracker.track(Reentrant(1))))
      let result = try await promise.value
      #expect(result.number == 1)
    }
  }
}

extension Result {
  fileprivate var value: Success? { try? get() }
}
