import AsyncViewModels
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

/// Completion handlers that do not take a `Result`, and closures that throw.
@Suite("Forms of completion handlers", .timeLimit(.minutes(5)), .endsWaits)
struct CompletionHandlerFormsTests {
  /// An API with the handlers of older code, none of which is `@Sendable`.
  private struct Legacy {
    var value: Int?
    var error: (any Error)?

    func save(completion: @escaping ((any Error)?) -> Void) { completion(error) }
    func load(completion: @escaping (Int?, (any Error)?) -> Void) { completion(value, error) }
    func read(completion: @escaping (Result<Int, any Error>) -> Void) -> CancellationToken {
      completion(.success(value ?? 0))
      return .finished
    }
  }

  private let clock = VirtualClock()

  @Test("a handler that takes an error or `nil`")
  func error() async throws {
    let works = Legacy()
    try await withCompletionHandler { completion in
      works.save(completion: completion)
      return .finished
    }
    let fails = Legacy(error: Refused())
    await #expect(throws: Refused()) {
      try await withCompletionHandler { completion in
        fails.save(completion: completion)
        return .finished
      }
    }
  }

  @Test("a handler that takes a value and an error")
  func valueAndError() async throws {
    let load = { (legacy: Legacy) async throws -> Int in
      try await withCompletionHandler { completion in
        legacy.load(completion: completion)
        return .finished
      }
    }
    #expect(try await load(Legacy(value: 7)) == 7)
    await #expect(throws: Refused()) { try await load(Legacy(error: Refused())) }
    await #expect(throws: Refused()) { try await load(Legacy(value: 7, error: Refused())) }
    await #expect(throws: MissingResult()) { try await load(Legacy()) }
    #expect("\(MissingResult())" == MissingResult().errorDescription)
  }

  @Test("a handler that is not `@Sendable`")
  func notSendable() async throws {
    let legacy = Legacy(value: 3)
    #expect(try await withCompletionHandler { legacy.read(completion: $0) } == 3)
    #expect(try await withCompletionHandler(legacy.read) == 3)
  }

  @Test("a deadline ends the wait for a handler of any form")
  func deadlines() async {
    let calls = [
      Task { [clock] in
        try await withCompletionHandler(deadline: .seconds(1), clock: clock) {
          (_: @escaping @Sendable ((any Error)?) -> Void) in .finished
        }
      },
      Task { [clock] in
        let _: Int = try await withCompletionHandler(deadline: .seconds(1), clock: clock) {
          (_: @escaping @Sendable (Int?, (any Error)?) -> Void) in .finished
        }
      },
    ]
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    for call in calls {
      await #expect(throws: DeadlineExceeded(duration: .seconds(1))) { try await call.value }
    }
  }

  @Test("a handler that is called before the deadline returns or throws")
  func beforeTheDeadline() async throws {
    let call = { [clock] (error: Refused?) in
      try await withCompletionHandler(deadline: .seconds(1), clock: clock) {
        (completion: @escaping @Sendable ((any Error)?) -> Void) in
        completion(error)
        return .finished
      }
    }
    try await call(nil)
    await #expect(throws: Refused()) { try await call(Refused()) }
    #expect(clock.sleeperCount == 0)
  }

  @Test("an error of the closure that starts the call is thrown, and a later result is dropped")
  func throwingStart() async throws {
    await #expect(throws: Refused()) {
      let _: Int = try await withCompletionHandler { completion in
        completion(.success(1))
        throw Refused()
      }
    }
    await #expect(throws: Refused()) {
      let _: Int = try await withCompletionHandler(deadline: .seconds(1), clock: clock) { _ in throw Refused()
      }
    }
    await #expect(throws: Refused()) {
      let _: Int = try await withCallback { _ in throw Refused() }
    }
    #expect(clock.sleeperCount == 0)
  }
}
