import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import Testing
import ToolkitTestSupport

@Suite(.timeLimit(.minutes(5)), .endsWaits)
struct RunConcurrentlyTests {
  private enum Section: Hashable { case profile, orders, news }

  @Test("each outcome is received when its work ends, and a failure does not affect the other work")
  func partialResults() async throws {
    let gates = [Section.profile: Gate(), .orders: Gate(), .news: Gate()]
    let (received, source) = AsyncStream.makeStream(of: (Section, String?).self)
    let task = Task {
      await [Section.profile, .orders, .news].runConcurrently { section in
        await gates[section]?.wait()
        if section == .orders { throw Refused() }
        return "\(section)"
      } receive: { section, outcome in
        source.yield((section, outcome.value))
      }
    }
    var iterator = received.makeAsyncIterator()
    for section in [Section.orders, .news, .profile] {
      await gates[section]?.waitForArrivals(1)
      gates[section]?.open()
      let next = await iterator.next()
      #expect(next?.0 == section)
      #expect(next?.1 == (section == .orders ? nil : "\(section)"))
    }
    await task.value
  }

  @Test("the work for all elements runs concurrently, and each outcome is received with its element")
  func elements() async {
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
      func load(_ numbers: [Int]) async {
        await numbers.runConcurrently(limit: 2) { _ in
          "ok"
        } receive: { number, outcome in
          assertIsolated()
          lines.append("\(number) \(outcome.value ?? "-")")
        }
        lines.append("end")
      }
    }
    let receiver = Receiver()
    await receiver.load(Array(0..<5))
    #expect(await receiver.lines.sorted() == (0..<5).map { "\($0) ok" } + ["end"])
    #expect(await receiver.lines.last == "end")
  }

  @Test(
    "the limit is used in full and never exceeded, and a limit below 1 counts as 1", arguments: [-1, 0, 1, 3])
  func limit(_ limit: Int) async throws {
    let gate = Gate()
    let task = Task {
      await (0..<10).runConcurrently(limit: limit) { _ in
        await gate.wait()
      } receive: { _, _ in
      }
    }
    let most = max(limit, 1)
    for ended in 0..<10 {
      await gate.waitForArrivals(min(most + ended, 10))
      #expect(gate.waitingCount == min(most, 10 - ended))
      gate.release()
    }
    await task.value
  }

  @Test("after a cancellation, the running work stops, no other starts, and each outcome is received once")
  func cancellation() async throws {
    let gate = Gate()
    let task = Task {
      var received: [Int: Bool] = [:]
      await (0..<6).runConcurrently(limit: 2) { _ in
        try await gate.waitUnlessCancelled()
      } receive: { number, outcome in
        #expect(received[number] == nil)
        received[number] = outcome.isCancelled
      }
      return received
    }
    await gate.waitForArrivals(2)
    task.cancel()
    #expect(await task.value == Dictionary(uniqueKeysWithValues: (0..<6).map { ($0, true) }))
    #expect(gate.arrivalCount == 2)
  }

  @Test("work that has not begun before a cancellation does not start")
  func cancelledBeforeItBegins() async {
    let queue = DispatchQueue(label: "tasks")
    let count = Atomic(0)
    let caller = Mutex<Task<[Bool], Never>?>(nil)
    queue.suspend()
    let task = Task(executorPreference: QueueTaskExecutor(queue)) {
      var received: [Bool] = []
      await (0..<2).runConcurrently { _ in
        count.add(1, ordering: .relaxed)
        caller.withLock { $0 }?.cancel()
      } receive: { _, outcome in
        received.append(outcome.isCancelled)
      }
      return received
    }
    caller.withLock { $0 = task }
    queue.resume()
    #expect(await task.value == [false, true])
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test("equal elements are work of their own, and no elements are no work")
  func equalElements() async {
    var outcomes: [Int] = []
    await [1, 1].runConcurrently {
      $0
    } receive: { number, outcome in
      outcomes += [number, outcome.value ?? 0]
    }
    await [Int]().runConcurrently {
      $0
    } receive: { number, _ in
      outcomes.append(number)
    }
    #expect(outcomes == [1, 1, 1, 1])
  }
}

extension TaskOutcome {
  var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }

  var error: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }
}
