import AsyncViewModelsSimulation
import Dispatch
import Foundation
import SimulatedQueues
import Synchronization
import Testing

/// A run that ends the process prints what replays it.
@Suite("Simulation: crashes and the replay variable", .timeLimit(.minutes(5)))
struct CrashTests {
  #if os(Linux) || os(macOS)
    private static let resumesTwice: @Sendable (SimulatedWorld) async throws -> Void = { world in
      let box = ContinuationBox()
      let waiter = world.spawn("waiter") { await box.wait() }
      await world.settle()
      for number in 1...2 { world.spawn("caller \(number)") { await box.resume() } }
      await waiter.waitForEnd()
    }

    @Test(
      "a continuation that is resumed twice fails the run, and the process continues",
      arguments: [SimulationStrategy.mixed, .exhaustive(preemptions: 1)])
    func trap(strategy: SimulationStrategy) async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...1_000, strategy: strategy, Self.resumesTwice)
      }
      guard case .trapped(let name, _) = failure.reason else { return #expect("\(failure)" == "") }
      #expect(name.hasPrefix("caller"))
      #expect(try failure.timeline.contains { try $0.contains(Regex("\(name) +runs")) }, "\(failure)")
      #expect(strategy != .mixed || failure.seed == 1)
      let summary = try await simulate(seeds: 1...100) { world in
        world.spawn("other") { await Task.yield() }
        await world.settle()
      }
      #expect(summary.runs == 100)
    }

    @Test("several threads report a trap of the lowest seed, and the other seeds continue")
    func trapOnOneOfSeveralThreads() async throws {
      for _ in 1...5 {
        let failure = try await #require(throws: SimulationFailure.self) {
          try await simulate(seeds: 1...400, threads: 3) { world in
            await Task.yield()
            if world.choose(100) == 7 { fatalError("as planned") }
          }
        }
        let first = try await #require(throws: SimulationFailure.self) {
          try await simulate(seeds: 1...400) { world in
            await Task.yield()
            world.expect(world.choose(100) != 7)
          }
        }
        #expect(failure.seed == first.seed)
      }
    }

    @Test("a replayed trap ends the process, and prints the seed and the path of the run")
    func replayedTrap() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: {
          let plan = SimulationPlan(seeds: 1...1_000, body: Self.resumesTwice)
          await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread { _ = try? plan.run(in: ["SIMULATION_REPLAY": "1"]) { _ in true } }
          }
        })
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      let report = try #require(
        text.firstMatch(of: /simulation: the process crashes in seed (\d+), step \d+\.\nreplay: (path:\S*)\n/)
      )
      #expect(SimulationPath(String(report.2)) != nil)
      #expect(text.contains("SIMULATION_REPLAY"))
    }

    @Test(
      "a stack that overflows prints the seed and the path of the run",
      .disabled(
        if: usesThreadSanitizer, "the stack can overflow in the sanitizer, which then holds its own locks"))
    func overflow() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent],
        performing: {
          try await simulate(seeds: 7...7) { world in
            await Task.yield()
            world.expectEqual(recurse(world.choose(1)), [])
          }
        })
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("simulation: the process crashes in seed 7, step"))
    }

    @Test("a run whose thread is blocked prints its seed and its path")
    func blocked() async throws {
      let result = try await #require(
        processExitsWith: .success, observing: [\.standardErrorContent],
        performing: {
          let (report, standardError) = (Pipe(), dup(STDERR_FILENO))
          dup2(report.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
          Thread.detachNewThread {
            var plan = SimulationPlan(seeds: 7...7) { world in
              world.spawn("reader") { block() }
              await world.settle()
            }
            plan.blockingLimit = 1
            _ = try? plan.run()
          }
          // The run does not end, so the process ends after the report.
          let reader = report.fileHandleForReading
          var text = Data()
          while !String(decoding: text, as: UTF8.self).contains(#/replay: .*\n/#) {
            var waiting = pollfd(fd: reader.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, 60_000) > 0 else { exit(EXIT_FAILURE) }
            text += reader.availableData
          }
          // The text that follows the path must not be written to a closed pipe.
          withExtendedLifetime(report) { _ = dup2(standardError, STDERR_FILENO) }
          FileHandle.standardError.write(text)
        })
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      let report =
        /simulation: reader has blocked its thread for 1 seconds in seed 7, step \d+\.\nreplay: (path:\S*)\n/
      let path = try #require(text.firstMatch(of: report)).1
      #expect(SimulationPath(String(path)) != nil)
    }
  #endif

  #if os(Linux)
    @Test(
      "a trap on a simulated queue, or between locks, fails the run",
      arguments: [Interruptions.atSuspensions, .atLocks])
    func trapOnQueue(interruptions: Interruptions) async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...100, queues: .simulated, interruptions: interruptions) { world in
          let group = DispatchGroup()
          group.enter()
          DispatchQueue(label: "leaving").async {
            group.leave()
            let empty: [Int] = []
            _ = empty[world.choose(2)]
          }
          await world.settle()
        }
      }
      #expect("\(failure.reason)".contains("queue leaving would end the process: it trapped"), "\(failure)")
    }
  #endif

  #if os(Linux)
    @Test(
      "a run that fails and then traps reports the first failure",
      arguments: [QueueScheduling.real, .simulated])
    func trapAfterFailure(queues: QueueScheduling) async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...100, queues: queues) { world in
          await Task.yield()
          world.fail("first")
          preconditionFailure("second")
        }
      }
      #expect("\(failure.reason)".hasPrefix("first"), "\(failure)")
      #expect(failure.seed == 1)
    }

    @Test(
      "a trap while a run is reduced does not hide the failure of the run",
      arguments: [QueueScheduling.real, .simulated])
    func trapInReduction(queues: QueueScheduling) async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...100, queues: queues) { world in
          let values = Mutex<[Int]>([])
          world.spawn("filler", canBeLeftOut: true) { values.withLock { $0.append(1) } }
          await world.settle()
          world.expectEqual(values.withLock { $0[0] }, 2)
        }
      }
      #expect("\(failure.reason)".hasPrefix("expected 2, got 1"), "\(failure)")
      #expect(failure.seed == 1)
    }

    @Test("a failed check for which the Swift runtime calls abort fails the run")
    func abort() async throws {
      let failure = try await #require(throws: SimulationFailure.self) {
        try await simulate(seeds: 1...100) { world in
          let object = Mutex<Box?>(Box())
          let task = object.withLock { box in
            Task { [unowned box] in
              await Task.yield()
              _ = box?.value
            }
          }
          object.withLock { $0 = nil }
          await task.value
        }
      }
      guard case .trapped = failure.reason else { return #expect("\(failure)" == "") }
    }
  #endif

  @Test("the replay variable replaces the seeds by one seed or one path", arguments: ["7", "path:0=1", ""])
  func replayVariable(text: String) throws {
    let chosen = Mutex<[Int]>([])
    let plan = SimulationPlan(seeds: 1...20) { world in chosen.withLock { $0.append(world.choose(1_000)) } }
    let summary = try plan.run(in: ["SIMULATION_REPLAY": text]) { _ in true }
    #expect(summary.runs == (text.isEmpty ? 20 : 1))
    let choices = chosen.withLock(\.self)
    if text.hasPrefix("path") { #expect(choices == [1]) }
    if text == "7" {
      chosen.withLock { $0 = [] }
      _ = try SimulationPlan(seeds: 7...7, body: plan.body).run()
      #expect(choices == chosen.withLock(\.self))
    }
  }

  @Test(
    "a replay variable that names no run is an error that quotes it",
    arguments: ["seven", "path:x", "-1", "path:0"])
  func invalidReplayVariable(text: String) throws {
    let plan = SimulationPlan { _ in }
    let failure = try #require(throws: SimulationFailure.self) {
      try plan.run(in: ["SIMULATION_REPLAY": text]) { _ in true }
    }
    #expect("\(failure)".contains("“\(text)”"))
  }

  @Test("a seed does not replay a run of an exhaustive simulation")
  func seedOfAnExhaustiveSimulation() throws {
    let plan = SimulationPlan(strategy: .exhaustive(preemptions: 1)) { _ in }
    #expect(throws: SimulationFailure.self) { try plan.run(in: ["SIMULATION_REPLAY": "7"]) { _ in true } }
  }

  @Test("a reduced run keeps a cancellation without which no run would end")
  func keptCancellation() async throws {
    let failure = try await #require(throws: SimulationFailure.self) {
      try await simulate(seeds: 1...1_000) { world in
        let box = CancellableWait()
        let waiter = world.spawn("waiter") { await box.wait() }
        world.faults.cancellation(of: waiter, upTo: .milliseconds(10))
        world.spawn("bystander", canBeLeftOut: true) { await Task.yield() }
        await waiter.waitForEnd()
      }
    }
    #expect(failure.timeline.contains { $0.contains("cancels waiter") }, "\(failure)")
    #expect(!failure.timeline.contains { $0.contains("bystander") }, "\(failure)")
  }

  @Test("an expectation can await its values")
  func expectation() async throws {
    try await simulate(seeds: 1...10) { world in
      let box = ContinuationBox()
      world.expect(await box.isEmpty)
    }
  }
}

private final class Box: Sendable {
  let value = 1
}

/// Keeps one continuation, without care.
private actor ContinuationBox {
  private var continuation: CheckedContinuation<Void, Never>?

  var isEmpty: Bool { continuation == nil }

  func wait() async { await withCheckedContinuation { continuation = $0 } }

  func resume() { continuation?.resume() }
}

/// Waits for a cancellation, and loses one that comes before the continuation is kept.
private final class CancellableWait: Sendable {
  private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)

  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { new in continuation.withLock { $0 = new } }
    } onCancel: {
      continuation.withLock { $0.take() }?.resume()
    }
  }
}

/// Whether this process was built with the thread sanitizer.
private var usesThreadSanitizer: Bool {
  #if canImport(Darwin)
    let allImages = unsafe UnsafeMutableRawPointer(bitPattern: -2)
  #else
    let allImages: UnsafeMutableRawPointer? = nil
  #endif
  return unsafe dlsym(allImages, "__tsan_init") != nil
}

private func recurse(_ depth: Int) -> [Int] { depth < 0 ? [] : recurse(depth + 1) + [depth] }

private func block() { DispatchSemaphore(value: 0).wait() }
