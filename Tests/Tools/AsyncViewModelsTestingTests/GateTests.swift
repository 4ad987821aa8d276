import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Testing

@Suite("Gate", .timeLimit(.minutes(5)), .endsWaits)
struct GateTests {
  @Test("a closed gate suspends tasks, and opening it resumes them all")
  func openingResumesAll() async {
    let gate = Gate()
    let tasks = (0..<3).map { _ in Task { await gate.wait() } }
    await gate.waitForArrivals(3)
    #expect(gate.waitingCount == 3)
    gate.open()
    for task in tasks { await task.value }
    #expect(gate.waitingCount == 0)
  }

  @Test("an open gate lets tasks pass and counts their arrivals")
  func openGateCountsArrivals() async throws {
    let gate = Gate(isOpen: true)
    await gate.wait()
    try await gate.waitUnlessCancelled()
    #expect(gate.arrivalCount == 2)
    #expect(gate.waitingCount == 0)
  }

  @Test("a gate can be closed again")
  func closesAgain() async {
    let gate = Gate(isOpen: true)
    gate.close()
    let task = Task { await gate.wait() }
    await gate.waitForArrivals(1)
    #expect(gate.waitingCount == 1)
    gate.open()
    await task.value
  }

  @Test("`release()` resumes one task at a time in the order of arrival")
  func releaseInOrder() async {
    let gate = Gate()
    let notes = Notes()
    var tasks: [Task<Void, Never>] = []
    for index in 1...3 {
      tasks.append(
        Task {
          await gate.wait()
          notes.add("\(index)")
        })
      await gate.waitForArrivals(index)
    }
    for (index, task) in tasks.enumerated() {
      gate.release()
      await task.value
      #expect(gate.waitingCount == 2 - index)
    }
    #expect(notes.all == ["1", "2", "3"])
  }

  @Test("cancelling ends waitUnlessCancelled() but not wait()")
  func cancellation() async {
    let gate = Gate()
    let uncancellable = Task { await gate.wait() }
    await gate.waitForArrivals(1)
    let cancellable = Task { try await gate.waitUnlessCancelled() }
    await gate.waitForArrivals(2)
    uncancellable.cancel()
    cancellable.cancel()
    await #expect(throws: CancellationError.self) { try await cancellable.value }
    #expect(gate.waitingCount == 1)
    gate.release()
    await uncancellable.value
  }

  @Test("a release goes to a task that still waits, even if a cancelled task has not resumed yet")
  func releaseAfterCancel() async throws {
    let queue = DispatchQueue(label: "cancelled")
    let gate = Gate()
    let cancelled = Task { try await Self.waitUnlessCancelled(at: gate, on: QueueIsolation(queue)) }
    await gate.waitForArrivals(1)
    queue.sync {}
    let waiting = Task { try await gate.waitUnlessCancelled() }
    await gate.waitForArrivals(2)
    // The cancelled task cannot resume while its queue is suspended.
    queue.suspend()
    cancelled.cancel()
    #expect(gate.waitingCount == 1)
    gate.release()
    try await waiting.value
    queue.resume()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  private static func waitUnlessCancelled(at gate: Gate, on isolation: isolated QueueIsolation) async throws {
    try await gate.waitUnlessCancelled()
  }

  @Test("if opening a gate races with a cancellation, no task stays suspended, in 2,000 rounds")
  func openAgainstCancel() async {
    for _ in 0..<2_000 {
      let gate = Gate()
      let task = Task { try await gate.waitUnlessCancelled() }
      async let cancelled: Void = task.cancel()
      gate.open()
      await cancelled
      _ = await task.result
      #expect(gate.waitingCount == 0)
    }
  }

  #if os(macOS) || os(Linux)
    @Test("releasing a negative count terminates the process")
    func negativeRelease() async {
      await #expect(processExitsWith: .failure) { Gate().release(-1) }
    }
  #endif
}
