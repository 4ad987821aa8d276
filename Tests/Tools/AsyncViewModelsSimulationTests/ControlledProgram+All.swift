import AsyncViewModelsSimulation
import Dispatch
import Foundation
import SimulatedQueues
import Synchronization

extension ControlledProgram {
  /// One program for each row, in the order of the table.
  static let all: [ControlledProgram] = tasks + actors + time + queues + locksAndThreads

  private static let tasks = [
    ControlledProgram("tasks, task groups, `async let`") { _, log in
      await withTaskGroup(of: Void.self) { group in
        for number in 1...2 { group.addTask { log.add(number) } }
      }
    },
    ControlledProgram("continuations") { world, log in
      for number in 1...2 {
        world.spawn("waiter \(number)") {
          await withCheckedContinuation { continuation in
            Task.detached { continuation.resume() }
          }
          log.add(number)
        }
      }
      await world.settle()
    },
    ControlledProgram("`Task.yield()` in the body, in tasks of `spawn`, and in their child tasks") {
      world, log in
      for number in 1...2 {
        world.spawn("task \(number)") {
          log.add(number)
          await Task.yield()
          async let child: Void = { await Task.yield() }()
          await child
          log.add(number)
        }
      }
      await world.settle()
    },
    ControlledProgram("`Task.yield()` in a task of `Task { }`") { world, log in
      let tasks = (1...2).map { number in
        Task {
          await Task.yield()
          log.add(number)
        }
      }
      for task in tasks { await task.value }
    },
  ]

  private static let actors = [
    ControlledProgram("actors on `world.isolation`") { world, log in
      let counter = Hosted(isolation: world.isolation)
      for number in 1...2 { world.spawn("call \(number)") { await counter.add(number, to: log) } }
      await world.settle()
    },
    ControlledProgram("plain actors: calls from code without an actor") { world, log in
      let counter = Plain()
      for number in 1...2 { world.spawn("call \(number)") { await counter.add(number, to: log) } }
      await world.settle()
    },
    ControlledProgram("plain actors: calls from another plain actor") { world, log in
      let (first, second, hasRun) = (Plain(), Plain(), Flag())
      world.spawn("other") { hasRun.raise() }
      // Whether the other task runs between the two hops.
      log.add(await first.pass(to: second, hasRun) ? 1 : 0)
      await world.settle()
    },
    ControlledProgram("the main actor") { world, log in
      for number in 1...2 { world.spawn("call \(number)") { await MainActor.run { log.add(number) } } }
      await world.settle()
    },
  ]

  private static let time = [
    ControlledProgram("`world.clock`") { world, log in
      for number in 1...2 {
        world.spawn("sleeper \(number)") {
          try await world.clock.sleep(for: .seconds(3_600))
          log.add(number)
        }
      }
      await world.settle()
    },
    ControlledProgram("`Task.sleep`") { world, log in
      for number in 1...2 {
        world.spawn("sleeper \(number)") {
          try await Task.sleep(for: .milliseconds(1))
          log.add(number)
        }
      }
      await world.settle()
    },
    ControlledProgram("`Date()`, `ContinuousClock.now` and other clocks") { world, log in
      log.noteReal(abs(Date().timeIntervalSince1970 - 1_767_225_600) > 3_600)
      for number in 1...2 { world.spawn("task \(number)") { log.add(number) } }
      await world.settle()
    },
  ]

  private static let queues = [
    ControlledProgram("dispatch queues, with `queues: .simulated`", queues: .simulated) { world, log in
      for number in 1...2 { DispatchQueue.global().async { log.add(number) } }
      await world.settle()
    },
    ControlledProgram("dispatch timers, with `queues: .simulated`", queues: .simulated) { world, log in
      for number in 1...2 { DispatchQueue.global().asyncAfter(deadline: .now() + 60) { log.add(number) } }
      await world.settle()
    },
    ControlledProgram("`DispatchSemaphore`, `DispatchGroup`, with `queues: .simulated`", queues: .simulated) {
      world, log in
      let semaphore = Semaphore()
      for number in 1...2 {
        DispatchQueue.global().async {
          semaphore.wait()
          log.add(number)
          semaphore.signal()
        }
      }
      semaphore.signal()
      await world.settle()
    },
    ControlledProgram(
      "dispatch queues that resume a task, without `queues: .simulated`", name: "DispatchQueue.async"
    ) {
      _, log in
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
      log.add(1)
    },
  ]

  private static let locksAndThreads = [
    ControlledProgram("locks, with `interruptions: .atLocks`", interruptions: .atLocks) { world, log in
      let lock = NSLock()
      for number in 1...2 {
        world.spawn("task \(number)") {
          for _ in 1...2 { lock.withLock { log.add(number) } }
        }
      }
      await world.settle()
    },
    ControlledProgram("locks, without `interruptions: .atLocks`") { world, log in
      let lock = NSLock()
      // No other code runs between the two locked sections.
      world.spawn("task") { for _ in 1...2 { lock.withLock { log.add(1) } } }
      await world.settle()
    },
    ControlledProgram("`Thread` that resumes a task", name: "Thread") { _, log in
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume() }
      }
      log.add(1)
    },
  ]
}

private actor Hosted {
  private nonisolated let isolation: any Actor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe isolation.unownedExecutor }

  init(isolation: any Actor) { self.isolation = isolation }

  func add(_ number: Int, to log: ControlledProgram.Log) { log.add(number) }
}

private actor Plain {
  func add(_ number: Int, to log: ControlledProgram.Log) { log.add(number) }

  /// Whether the flag is raised between the call of this actor and that of the other one.
  func pass(to other: Plain, _ flag: Flag) async -> Bool {
    guard !flag.isRaised else { return false }
    return await other.sees(flag)
  }

  private func sees(_ flag: Flag) -> Bool { flag.isRaised }
}

private final class Flag: Sendable {
  private let flag = Atomic(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }
  func raise() { flag.store(true, ordering: .relaxed) }
}

/// A semaphore that async code may create and signal.
private final class Semaphore: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() { semaphore.wait() }
  func signal() { semaphore.signal() }
}
