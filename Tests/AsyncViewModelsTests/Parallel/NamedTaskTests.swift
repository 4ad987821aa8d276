import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite(.timeLimit(.minutes(5)), .endsWaits)
struct NamedTaskTests {
  private enum Section: Hashable { case profile, orders, news }

  @Test("each outcome is received when its task ends, and a failure does not affect the other tasks")
  func partialResults() async throws {
    let gates = [Section.profile: Gate(), .orders: Gate(), .news: Gate()]
    let namedTasks = gates.map { section, gate in
      NamedTask(section) {
        await gate.wait()
        if section == .orders { throw Refused() }
        return "\(section)"
      }
    }
    let (received, source) = AsyncStream.makeStream(of: (Section, String?).self)
    let task = Task {
      try await namedTasks.runConcurrently { section, outcome in source.yield((section, outcome.value)) }
    }
    var iterator = received.makeAsyncIterator()
    for section in [Section.orders, .news, .profile] {
      await gates[section]?.waitForArrivals(1)
      gates[section]?.open()
      let next = await iterator.next()
      #expect(next?.0 == section)
      #expect(next?.1 == (section == .orders ? nil : "\(section)"))
    }
    try await task.value
  }

  @Test("the work for a list of names runs concurrently, and each outcome is received with its name")
  func names() async {
    let gate = Gate()
    async let opening: Void = gate.waitForArrivals(3)
    let task = Task {
      var received: Set<String> = []
      await [1, 2, 3].runConcurrently { number in
        await gate.wait()
        if number == 2 { throw Refused() }
        return number * 10
      } receive: { number, outcome in
        received.insert("\(number): \(outcome.value ?? 0)")
      }
      return received
    }
    await opening
    gate.open()
    #expect(await task.value == ["1: 10", "2: 0", "3: 30"])
  }

  @Test("an actor receives each outcome in its own isolation")
  func isolation() async throws {
    actor Receiver {
      private(set) var lines: [String] = []
      func load(_ namedTasks: [NamedTask<Int, String>]) async throws {
        try await namedTasks.runConcurrently(limit: 2) { name, outcome in
          assertIsolated()
          lines.append("\(name) \(outcome.value ?? "-")")
        }
        lines.append("end")
      }
    }
    let receiver = Receiver()
    try await receiver.load((0..<5).map { index in NamedTask(index) { "ok" } })
    #expect(await receiver.lines.sorted() == (0..<5).map { "\($0) ok" } + ["end"])
    #expect(await receiver.lines.last == "end")
  }

  @Test("never more tasks run at once than the limit allows", arguments: [1, 3])
  func limit(_ limit: Int) async throws {
    let gate = Gate()
    let namedTasks = (0..<10).map { index in NamedTask(index) { await gate.wait() } }
    let task = Task { try await namedTasks.runConcurrently(limit: limit) { _, _ in } }
    for ended in 0..<10 {
      await gate.waitForArrivals(min(limit + ended, 10))
      #expect(gate.waitingCount == min(limit, 10 - ended))
      gate.release()
    }
    try await task.value
  }

  @Test("after a cancellation, the running tasks stop, no others start, and each outcome is received once")
  func cancellation() async throws {
    let gate = Gate()
    let namedTasks = (0..<6).map { index in NamedTask(index) { try await gate.waitUnlessCancelled() } }
    let task = Task {
      var received: [Int: Bool] = [:]
      try await namedTasks.runConcurrently(limit: 2) { name, outcome in
        #expect(received[name] == nil)
        received[name] = outcome.isCancelled
      }
      return received
    }
    await gate.waitForArrivals(2)
    task.cancel()
    #expect(try await task.value == Dictionary(uniqueKeysWithValues: (0..<6).map { ($0, true) }))
    #expect(gate.arrivalCount == 2)
  }

  @Test("a task that has not begun before a cancellation does not start")
  func cancelledBeforeItBegins() async throws {
    let queue = DispatchQueue(label: "tasks")
    let count = Atomic(0)
    let caller = Mutex<Task<[Bool], any Error>?>(nil)
    queue.suspend()
    let task = Task(executorPreference: QueueTaskExecutor(queue)) {
      var received: [Bool] = []
      let namedTasks = (0..<2).map { index in
        NamedTask(index) {
          count.add(1, ordering: .relaxed)
          caller.withLock { $0 }?.cancel()
        }
      }
      try await namedTasks.runConcurrently { _, outcome in received.append(outcome.isCancelled) }
      return received
    }
    caller.withLock { $0 = task }
    queue.resume()
    #expect(try await task.value == [false, true])
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test("if two tasks have the same name, an error that contains the name is thrown, and nothing starts")
  func duplicateName() async {
    let gate = Gate(isOpen: true)
    let namedTasks = ["a", "b", "a"].map { name in NamedTask(name) { await gate.wait() } }
    await #expect(throws: ParallelError.duplicateName("a")) {
      try await namedTasks.runConcurrently { _, _ in Issue.record("no outcome should be received") }
    }
    #expect(gate.arrivalCount == 0)
    #expect("\(ParallelError.duplicateName("a"))".contains("a"))
  }

  @Test("a name that occurs again is ignored if the call cannot throw")
  func duplicateNameOfWork() async {
    let notes = Notes()
    var outcomes: [String: Int] = [:]
    await ["a", "b", "a"].runConcurrently { name in
      notes.add(name)
      return 1
    } receive: { name, _ in
      outcomes[name, default: 0] += 1
    }
    #expect(notes.all.sorted() == ["a", "b"])
    #expect(outcomes == ["a": 1, "b": 1])
  }

  @Test("a limit below 1 throws an error that names the limit, and nothing starts", arguments: [0, -1])
  func invalidLimit(limit: Int) async {
    let gate = Gate(isOpen: true)
    await #expect(throws: ParallelError.invalidLimit(limit)) {
      try await [NamedTask(1) { await gate.wait() }].runConcurrently(limit: limit) { _, _ in }
    }
    #expect(gate.arrivalCount == 0)
  }
}
