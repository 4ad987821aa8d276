import AsyncViewModelsRequests
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite("SingleFlight", .timeLimit(.minutes(5)), .endsWaits)
struct SingleFlightTests {
  private struct Failure: Error, Equatable {}

  /// Starts callers that share one flight, and returns when all of them have joined it.
  private func callers(
    _ count: Int, of flights: SingleFlight<String, Int>, _ work: @escaping @Sendable () async throws -> Int
  ) async throws -> [Task<Int, any Error>] {
    let tasks = (0..<count).map { _ in Task { try await flights.value(for: "key", work) } }
    try await until { flights.callerCount(for: "key") == count }
    return tasks
  }

  @Test("concurrent callers with the same key share one run of the work")
  func shares() async throws {
    let flights = SingleFlight<String, Int>()
    let gate = Gate()
    let starts = Tally()
    let callers = try await callers(20, of: flights) {
      starts.increment()
      await gate.wait()
      return 42
    }
    #expect(flights.count == 1)
    gate.open()
    for caller in callers { #expect(try await caller.value == 42) }
    #expect(starts.count == 1)
    #expect(flights.count == 0)
  }

  @Test("each key has its own flight")
  func differentKeys() async throws {
    let flights = SingleFlight<Int, Int>()
    let gate = Gate()
    let callers = (1...5).map { key in
      Task {
        try await flights.value(for: key) {
          await gate.wait()
          return key * 10
        }
      }
    }
    await gate.waitForArrivals(5)
    #expect(flights.count == 5)
    gate.open()
    for (index, caller) in callers.enumerated() { #expect(try await caller.value == (index + 1) * 10) }
  }

  @Test("the work has the priority of the first caller")
  func priority() async throws {
    let flights = SingleFlight<String, TaskPriority>()
    let caller = Task(priority: .high) { try await flights.value(for: "key") { Task.currentPriority } }
    #expect(try await caller.value >= .high)
  }

  @Test("a failure reaches every caller and is not cached")
  func failure() async throws {
    let flights = SingleFlight<String, Int>()
    let gate = Gate()
    let callers = try await callers(5, of: flights) {
      await gate.wait()
      throw Failure()
    }
    gate.open()
    for caller in callers { await #expect(throws: Failure()) { try await caller.value } }
    #expect(flights.count == 0)
    #expect(try await flights.value(for: "key") { 1 } == 1)
  }

  @Test("a value is not cached")
  func valueIsNotCached() async throws {
    let flights = SingleFlight<String, Int>()
    #expect(try await flights.value(for: "key") { 1 } == 1)
    #expect(try await flights.value(for: "key") { 2 } == 2)
  }

  @Test("a cancelled caller leaves at once; the others stay, and the work continues", arguments: [0, 1, 2])
  func oneLeaves(index: Int) async throws {
    let flights = SingleFlight<String, Int>()
    let gate = Gate()
    let wasCancelled = Atomic(true)
    var callers = try await callers(3, of: flights) {
      await gate.wait()
      wasCancelled.store(Task.isCancelled, ordering: .relaxed)
      return 42
    }
    let leaving = callers.remove(at: index)
    leaving.cancel()
    await #expect(throws: CancellationError.self) { try await leaving.value }
    #expect(flights.count == 1)
    gate.open()
    for caller in callers { #expect(try await caller.value == 42) }
    #expect(wasCancelled.load(ordering: .relaxed) == false)
  }

  @Test("when the last caller leaves, the work is cancelled, and a later call does not join the old work")
  func lastLeaves() async throws {
    let flights = SingleFlight<String, Int>()
    let (gate, noticed) = (Gate(), Gate())
    let done = Gate(isOpen: true)
    let callers = try await callers(2, of: flights) {
      do { try await noticed.waitUnlessCancelled() } catch {}
      await gate.wait()
      await done.wait()
      return 1
    }
    for caller in callers { caller.cancel() }
    for caller in callers { await #expect(throws: CancellationError.self) { try await caller.value } }
    await gate.waitForArrivals(1)
    #expect(flights.count == 0)

    let next = try await self.callers(2, of: flights) {
      await gate.wait()
      return 2
    }
    gate.release()
    await done.waitForArrivals(1)
    #expect(flights.count == 1)
    gate.open()
    for caller in next { #expect(try await caller.value == 2) }
  }

  @Test("a caller that is already cancelled starts no work")
  func cancelledBefore() async throws {
    let flights = SingleFlight<String, Int>()
    let gate = Gate()
    let started = Atomic(false)
    let caller = Task {
      await gate.wait()
      return try await flights.value(for: "key") {
        started.store(true, ordering: .relaxed)
        return 1
      }
    }
    caller.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(started.load(ordering: .relaxed) == false)
    #expect(flights.count == 0)
  }

  @Test("a cancellation error that the work throws reaches the caller like any other error")
  func workThrowsCancellation() async throws {
    let flights = SingleFlight<String, Int>()
    await #expect(throws: CancellationError.self) {
      try await flights.value(for: "key") { throw CancellationError() }
    }
    #expect(flights.count == 0)
  }

  @Test("objects that the work captured are freed when the flight ends")
  func frees() async throws {
    try await LeakTracker.check { tracker in
      let flights = tracker.track(SingleFlight<String, Int>())
      let captured = tracker.track(Reentrant(7))
      let value = try await flights.value(for: "key") { captured.number }
      #expect(value == 7)
    }
  }

  @Test("a caller that joins a flight while its last caller leaves gets the value, and no caller hangs")
  func joinAgainstLastLeave() async throws {
    let flights = SingleFlight<String, Int>()
    let ended = Gate(isOpen: true)
    let wrong = Tally()
    for round in 1...10_000 {
      let leaving = Task {
        do {
          if try await flights.value(for: "key", Self.cancellableWork(round)) != round { wrong.increment() }
        } catch {
          if !(error is CancellationError) { wrong.increment() }
        }
        await ended.wait()
      }
      let joining = Task {
        // A caller that was not cancelled must not receive another caller's cancellation.
        do {
          if try await flights.value(for: "key", Self.cancellableWork(round)) != round { wrong.increment() }
        } catch {
          wrong.increment()
        }
        await ended.wait()
      }
      if round % 2 == 0 { await Task.yield() }
      leaving.cancel()
      await ended.waitForArrivals(2 * round)
      try Task.checkCancellation()
      _ = joining
    }
    #expect(wrong.count == 0)
    #expect(flights.count == 0)
  }

  @Test("among many callers of a few keys, each caller that stays gets the value of its key")
  func manyCallers() async throws {
    let flights = SingleFlight<Int, Int>()
    let wrong = Tally()
    await withTaskGroup { group in
      for caller in 0..<8 {
        group.addTask {
          for round in 0..<1_250 {
            let key = (caller + round) % 3
            let call = Task {
              try await flights.value(for: key) {
                await Task.yield()
                return key
              }
            }
            if (caller * 31 + round) % 4 == 0 {
              call.cancel()
              if case .success(let value) = await call.result, value != key { wrong.increment() }
            } else if case .success(key) = await call.result {
              continue
            } else {
              wrong.increment()
            }
          }
        }
      }
    }
    #expect(wrong.count == 0)
    #expect(flights.count == 0)
  }

  @Test("cancelling a caller after its flight has ended does not affect the next call")
  func cancelledAfterEnd() async throws {
    let queue = DispatchQueue(label: "callers")
    let (flights, gate) = (SingleFlight<Int, Int>(), Gate())
    let caller = Task { try await Self.awaitValue(flights, gate, on: QueueIsolation(queue)) }
    await gate.waitForArrivals(1)
    queue.sync {}
    // The caller waits for the flight. While the caller's queue is suspended, the caller cannot resume, even
    // if the flight ends.
    queue.suspend()
    gate.open()
    try await until { flights.count == 0 }
    caller.cancel()
    #expect(try await flights.value(for: 1) { 2 } == 2)
    queue.resume()
    switch await caller.result {
    case .success(let value): #expect(value == 1)
    case .failure(let error): #expect(error is CancellationError)
    }
  }

  @Test("the code that hashes and compares keys may call the same SingleFlight")
  func keysThatUseTheObject() async throws {
    let flights = SingleFlight<ComparedKey, Int>()
    let (gate, uses) = (Gate(), Tally())
    let use: @Sendable () -> Void = { [weak flights] in
      uses.increment()
      _ = flights?.count
    }
    let key = ComparedKey(name: "key", whenHashed: use, whenCompared: use)
    let callers = (0..<2).map { _ in
      Task {
        try await flights.value(for: key) {
          await gate.wait()
          return 1
        }
      }
    }
    try await until { flights.callerCount(for: ComparedKey(name: "key")) == 2 }
    gate.open()
    for caller in callers { #expect(try await caller.value == 1) }
    #expect(flights.count == 0)
    #expect(uses.count > 2)
  }

  /// Returns work that suspends three times and fails if it is cancelled.
  private static func cancellableWork(_ value: Int) -> @Sendable () async throws -> Int {
    {
      for _ in 0..<3 {
        await Task.yield()
        try Task.checkCancellation()
      }
      return value
    }
  }

  private static func awaitValue(
    _ flights: SingleFlight<Int, Int>, _ gate: Gate, on isolation: isolated QueueIsolation
  ) async throws -> Int {
    try await flights.value(for: 1) {
      await gate.wait()
      return 1
    }
  }
}
