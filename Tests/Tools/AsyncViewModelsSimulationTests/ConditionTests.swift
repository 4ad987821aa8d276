import AsyncViewModelsSimulation
import Dispatch
import Foundation
import SimulatedQueues
import Synchronization
import Testing

#if !canImport(Darwin)
  /// `NSCondition`, and the waits of operation queues, which use it.
  @Suite("Simulation: conditions", .timeLimit(.minutes(5)))
  struct ConditionTests {
    /// A queue of numbers with room for one number. Each side waits for the other.
    private final class Mailbox: @unchecked Sendable {
      private let condition = NSCondition()
      private var number: Int?
      private let wakesAll: Bool

      init(wakesAll: Bool) { self.wakesAll = wakesAll }

      func put(_ new: Int) {
        condition.lock()
        while number != nil { condition.wait() }
        number = new
        wake()
        condition.unlock()
      }

      func take() -> Int {
        condition.lock()
        defer { condition.unlock() }
        while true {
          if let number {
            self.number = nil
            wake()
            return number
          }
          condition.wait()
        }
      }

      func take(within seconds: Double) -> Int? {
        condition.lock()
        defer { condition.unlock() }
        let limit = Date(timeIntervalSinceNow: seconds)
        while number == nil { if !condition.wait(until: limit) { return nil } }
        return number.take()
      }

      private func wake() { if wakesAll { condition.broadcast() } else { condition.signal() } }
    }

    @Test("producers and consumers that wait for a condition end, if each change wakes all of them")
    func broadcast() async throws {
      try await simulate(seeds: 1...300, queues: .simulated) { world in
        let mailbox = Mailbox(wakesAll: true)
        let sum = Atomic(0)
        for number in 1...3 {
          DispatchQueue.global().async { mailbox.put(number) }
          DispatchQueue.global().async { sum.add(mailbox.take(), ordering: .relaxed) }
        }
        await world.settle()
        world.expectEqual(sum.load(ordering: .relaxed), 6)
      }
    }

    @Test("a signal that wakes the wrong side is a deadlock in some orders")
    func signal() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...2_000, queues: .simulated) { world in
          let mailbox = Mailbox(wakesAll: false)
          for number in 1...3 {
            DispatchQueue(label: "put \(number)").async { mailbox.put(number) }
            DispatchQueue(label: "take \(number)").async { _ = mailbox.take() }
          }
          await world.settle()
        }
      }
      guard case .unfinished(let names) = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
      #expect(names.allSatisfy { $0.hasSuffix("(in NSCondition.wait)") }, "\(failure)")
    }

    @Test("a wait with a time limit ends in virtual time")
    func limit() async throws {
      try await simulate(seeds: 1...100, queues: .simulated) { world in
        let mailbox = Mailbox(wakesAll: true)
        DispatchQueue.global().asyncAfter(deadline: .now() + 100) { mailbox.put(1) }
        world.expectEqual(mailbox.take(within: 60), nil)
        world.expectEqual(world.clock.now.offset, .seconds(60))
        world.expectEqual(mailbox.take(within: 60), 1)
      }
    }

    @Test("waitUntilAllOperationsAreFinished runs the operations and then returns")
    func operations() async throws {
      try await simulate(seeds: 1...200, queues: .simulated) { world in
        let finished = Atomic(0)
        let queue = OperationQueue()
        for _ in 1...3 { queue.addOperation { finished.add(1, ordering: .relaxed) } }
        Self.wait(for: queue)
        world.expectEqual(finished.load(ordering: .relaxed), 3)
      }
    }

    @Test("an operation that waits for a later operation of its serial queue is a deadlock")
    func operationDeadlock() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1, queues: .simulated) { world in
          let queue = OperationQueue()
          queue.maxConcurrentOperationCount = 1
          let later = BlockOperation {}
          queue.addOperation { later.waitUntilFinished() }
          queue.addOperation(later)
          await world.settle()
        }
      }
      guard case .unfinished(let names) = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
      #expect(names.count == 1 && names[0].hasSuffix("(in NSCondition.wait)"), "\(failure)")
    }

    @Test("a condition that a thread outside the world signals fails the run")
    func outside() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1, queues: .simulated) { _ in
          let (mailbox, body) = (Mailbox(wakesAll: true), SuspendedBody())
          Thread {
            body.act { mailbox.put(1) }
          }.start()
          _ = mailbox.take()
        }
      }
      #expect(failure.reason == .leftTheWorld("body", call: "Thread.start"))
    }

    private static func wait(for queue: OperationQueue) { queue.waitUntilAllOperationsAreFinished() }
  }
#endif
