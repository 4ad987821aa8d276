import AsyncViewModelsRequests
import AsyncViewModelsTesting
import Testing
import ToolkitTestSupport

/// Shared work that asks for its own key would wait for itself.
@Suite("SingleFlight: work that asks for its own key", .timeLimit(.minutes(5)), .endsWaits)
struct SingleFlightCycleTests {
  private let flights = SingleFlight<String, Int>()

  @Test("the call throws an error that names the key, and the flight continues")
  func ownKey() async throws {
    let value = try await flights.value(for: "posts") { [flights] in
      await #expect(throws: SingleFlightCycleError(key: "posts")) {
        try await flights.value(for: "posts") { 2 }
      }
      return 1
    }
    #expect(value == 1)
    #expect(flights.count == 0)
  }

  @Test("a call that reaches its own key through the work for another key throws, and both flights end")
  func throughAnotherKey() async throws {
    await #expect(throws: SingleFlightCycleError(key: "a")) {
      try await flights.value(for: "a") { [flights] in
        try await flights.value(for: "b") { try await flights.value(for: "a") { 0 } }
      }
    }
    #expect(flights.count == 0)
  }

  @Test("of two flights that ask for each other's key, one call throws the error, and both flights end")
  func eachOther() async throws {
    let (first, second) = (Gate(), Gate())
    let one = Task { [flights] in
      try await flights.value(for: "a") {
        first.open()
        await second.wait()
        return try await flights.value(for: "b") { 0 }
      }
    }
    let two = Task { [flights] in
      try await flights.value(for: "b") {
        second.open()
        await first.wait()
        return try await flights.value(for: "a") { 0 }
      }
    }
    let results = (await one.result, await two.result)
    for result in [results.0, results.1] {
      #expect(throws: SingleFlightCycleError.self) { try result.get() }
    }
    #expect(flights.count == 0)
  }

  @Test("work may ask for another key, and two flights may wait for the same key")
  func otherKeys() async throws {
    let gate = Gate()
    let callers = ["a", "b"].map { key in
      Task { [flights] in
        try await flights.value(for: key) {
          try await flights.value(for: "shared") {
            await gate.wait()
            return 7
          } + 1
        }
      }
    }
    try await until { flights.callerCount(for: "shared") == 2 }
    gate.open()
    for caller in callers { #expect(try await caller.value == 8) }
  }

  @Test("a flight continues while a caller needs it through another flight, however that flight began")
  func neededThroughAnotherKey() async throws {
    let (joined, other, prefetch) = (Gate(), Gate(), Holder<Task<Int, any Error>>())
    let first = Task { [flights] in
      try await flights.value(for: "a") {
        prefetch.set(
          Task {
            try await flights.value(for: "b") {
              await joined.wait()
              return try await flights.value(for: "a") { 0 }
            }
          })
        await other.wait()
        return 1
      }
    }
    await joined.waitForArrivals(1)
    let independent = Task { [flights] in try await flights.value(for: "b") { 5 } }
    try await until { flights.callerCount(for: "b") == 2 }
    joined.open()
    try await until { flights.callerCount(for: "a") == 2 }
    prefetch.value?.cancel()
    try await until { flights.callerCount(for: "b") == 1 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    other.open()
    #expect(try await independent.value == 1)
    #expect(flights.count == 0)
  }

  @Test("a task of the work that asks for the same key receives a value if the work is cancelled")
  func unstructuredTask() async throws {
    let (inner, done) = (Holder<Task<Int, any Error>>(), Gate())
    let caller = Task { [flights] in
      try await flights.value(for: "posts") {
        inner.set(Task { try await flights.value(for: "posts") { 2 } })
        try await done.waitUnlessCancelled()
        return 1
      }
    }
    try await until { flights.callerCount(for: "posts") == 2 }
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    // The task was not cancelled.
    #expect(try await inner.value?.value == 2)
    #expect(flights.count == 0)
  }

  @Test("if two flights wait only for each other, the cancellation of the outer caller ends both")
  func onlyForEachOther() async throws {
    let caller = Task { [flights] in
      try await flights.value(for: "a") {
        async let other = flights.value(for: "b") { try await flights.value(for: "a") { 0 } }
        return try await other
      }
    }
    try await until { flights.callerCount(for: "a") == 2 }
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    try await until { flights.count == 0 }
  }

  @Test("if a child task of the work asks for the same key, the work waits until its caller is cancelled")
  func childTask() async throws {
    let caller = Task { [flights] in
      try await flights.value(for: "posts") {
        async let own = flights.value(for: "posts") { 2 }
        return try await own
      }
    }
    try await until { flights.callerCount(for: "posts") == 2 }
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(flights.count == 0)
  }
}
