import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization
import Testing
import ToolkitTestSupport

@Suite(.timeLimit(.minutes(5)), .endsWaits)
struct ConcurrentMapTests {
  @Test("results are in the order of the elements, whatever order the transforms end in")
  func order() async throws {
    let gates = (0..<4).map { _ in Gate() }
    let task = Task {
      try await gates.indices.concurrentMap { index in
        await gates[index].wait()
        return index * 10
      }
    }
    for gate in gates.reversed() {
      await gate.waitForArrivals(1)
      gate.open()
    }
    #expect(try await task.value == [0, 10, 20, 30])
  }

  @Test("as many transforms run at once as the limit allows, and never more", arguments: [1, 3, 7])
  func limit(_ limit: Int) async throws {
    let gate = Gate()
    let task = Task {
      try await (0..<20).concurrentMap(limit: limit) { index in
        await gate.wait()
        return index
      }
    }
    for ended in 0..<20 {
      await gate.waitForArrivals(min(limit + ended, 20))
      #expect(gate.waitingCount == min(limit, 20 - ended))
      gate.release()
    }
    #expect(try await task.value == Array(0..<20))
  }

  @Test("without a limit or with a limit above the count, all transforms run at once", arguments: [nil, 100])
  func noLimit(limit: Int?) async throws {
    let gate = Gate()
    let task = Task {
      try await (0..<20).concurrentMap(limit: limit) { index in
        await gate.wait()
        return index
      }
    }
    await gate.waitForArrivals(20)
    gate.open()
    #expect(try await task.value.count == 20)
  }

  @Test("the first error cancels the running transforms and is thrown after they end; no others start")
  func firstError() async {
    let (gate, failing) = (Gate(), Gate())
    let ended = Atomic(0)
    let begun = DeliveryLog<Int>()
    let task = Task {
      try await (0..<10).concurrentMap(limit: 3) { index in
        begun.append(index)
        if index == 1 {
          await failing.wait()
          throw Refused(reason: "\(index)")
        }
        defer { ended.add(1, ordering: .relaxed) }
        // The cancelled transforms throw another error later. The call must throw the first error.
        do { try await gate.waitUnlessCancelled() } catch { throw Refused(reason: "late") }
      }
    }
    await gate.waitForArrivals(2)
    failing.open()
    await #expect(throws: Refused(reason: "1")) { try await task.value }
    #expect(ended.load(ordering: .relaxed) == 2)
    #expect(begun.values.sorted() == [0, 1, 2])
  }

  @Test(
    "cancelling the task cancels the running transforms, starts no others and throws a cancellation error")
  func cancellation() async {
    let gate = Gate()
    let task = Task {
      try await (0..<10).concurrentMap(limit: 2) { _ in try? await gate.waitUnlessCancelled() }
    }
    await gate.waitForArrivals(2)
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(gate.arrivalCount == 2)
  }

  @Test("if all transforms have begun and ignore the cancellation, their results are still returned")
  func cancellationIgnored() async throws {
    let gate = Gate()
    let task = Task {
      try await (0..<2).concurrentMap { index in
        await gate.wait()
        return index
      }
    }
    await gate.waitForArrivals(2)
    task.cancel()
    gate.open()
    #expect(try await task.value == [0, 1])
  }

  @Test("a limit below 1 counts as 1", arguments: [0, -3])
  func lowLimit(limit: Int) async throws {
    let begun = Atomic(0)
    let numbers = try await (1...3).concurrentMap(limit: limit) { _ in
      let number = begun.add(1, ordering: .relaxed).newValue
      await Task.yield()
      return [number, begun.load(ordering: .relaxed)]
    }
    #expect(numbers == [[1, 1], [2, 2], [3, 3]])
  }

  @Test("an empty collection gives an empty result")
  func empty() async throws {
    #expect(try await [Int]().concurrentMap(limit: 4) { $0 }.isEmpty)
  }

  @Test("many elements with a low limit are each transformed once")
  func many() async throws {
    let counts = (0..<10_000).map { _ in Counter() }
    let results = try await counts.indices.concurrentMap(limit: 8) { index in
      counts[index].count.add(1, ordering: .relaxed)
      return index
    }
    #expect(results == Array(0..<10_000))
    #expect(counts.allSatisfy { $0.count.load(ordering: .relaxed) == 1 })
  }

  private final class Counter: Sendable { let count = Atomic(0) }

  @Test("results do not leak, whether the call succeeds or fails")
  func leaks() async throws {
    try await LeakTracker.check { tracker in
      _ = try await (0..<4).concurrentMap { _ in tracker.track(Counter()) }
      _ = try? await (0..<4).concurrentMap { index in
        if index == 3 { throw Refused() }
        return tracker.track(Counter())
      }
    }
  }
}
