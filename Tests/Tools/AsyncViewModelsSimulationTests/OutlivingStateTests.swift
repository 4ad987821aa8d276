import AsyncViewModelsSimulation
import Dispatch
import Foundation
import SimulatedQueues
import Synchronization
import Testing

/// State that outlives a run, such as a `static let`, whose initial value a process computes once.
@Suite("Simulation: state that outlives a run", .timeLimit(.minutes(5)))
struct OutlivingStateTests {
  @Test("a failure keeps its reason if the repeated run does not fail")
  func failsOnce() async throws {
    let hasFailed = Atomic(false)
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...20) { world in
        if !hasFailed.exchange(true, ordering: .relaxed) { world.fail("only once") }
      }
    }
    #expect("\(failure.reason)".hasPrefix("only once"))
    #expect(failure.seed == 1)
    let text = failure.description.replacing("\n", with: " ")
    #expect(text.contains("When the run was repeated, it did not fail in the same way"))
    #expect(text.contains("the initial value of a `static let`"))
  }

  @Test("a failure of only the second run of a seed keeps its reason")
  func failsTheSecondTime() async throws {
    let runs = Atomic(0)
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...20) { world in
        if runs.add(1, ordering: .relaxed).newValue == 2 { world.fail("the second time") }
      }
    }
    #expect("\(failure.reason)".hasPrefix("the second time"))
  }

  #if !canImport(Darwin)
    private enum OnMain {
      static let value = DispatchQueue.main.sync { 7 }
    }

    @Test("an initial value that waits for the main queue while other code can run is refused by name")
    func initialValueSyncs() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...20, queues: .simulated) { world in
          let users = [DispatchQueue(label: "a"), DispatchQueue(label: "b")]
          for user in users { user.async { world.expectEqual(OnMain.value, 7) } }
          await world.settle()
        }
      }
      guard case .leftTheWorld(_, let call?) = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
      #expect(
        call.contains(
          "DispatchQueue.sync of queue com.apple.main-thread in the initial value of a global variable"))
    }

    private enum Alone {
      static let value = DispatchQueue(label: "values").sync { 7 }
    }

    @Test("an initial value that was computed before the simulation can wait")
    func initialValueBefore() async throws {
      #expect(Alone.value == 7)
      try await simulate(seeds: 1...20, queues: .simulated) { world in
        for number in 1...2 { world.spawn("user \(number)") { world.expectEqual(Alone.value, 7) } }
        await world.settle()
      }
    }

    private enum UnderLock {
      static let lock = NSLock()
      static let value = lock.withLock { 7 }
    }

    @Test(
      "code that waits for an initial value, which waits for a lock of this code, stays suspended by name")
    func initialValueWaitsForItsUser() async throws {
      UnderLock.lock.withLock {}
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1, queues: .simulated) { world in
          let hasLocked = DispatchSemaphore(value: 0)
          let holder = DispatchQueue(label: "holder")
          holder.async {
            UnderLock.lock.withLock {
              hasLocked.signal()
              Thread.sleep(forTimeInterval: 1)
              world.expectEqual(UnderLock.value, 7)
            }
          }
          DispatchQueue(label: "user").async {
            hasLocked.wait()
            world.expectEqual(UnderLock.value, 7)
          }
          await world.settle()
        }
      }
      guard case .unfinished(let waiting) = failure.reason else {
        Issue.record("unexpected failure: \(failure)")
        return
      }
      #expect(waiting.contains("queue holder (in the initial value of a global variable)"), "\(waiting)")
      #expect(waiting.contains("queue user (in pthread_mutex_lock)"), "\(waiting)")
    }
  #endif
}
