import AsyncViewModelsSimulation
import Synchronization

extension BugPattern {
  static let onCancellation = [
    cancelledBeforeStart, cancelOutrunsStart, servedAfterCancel, permitLost, sendHangs, retriedAfterCancel,
  ]

  private static let cancelledBeforeStart = BugPattern(
    "cancellation/before-start", "a cancellation that comes before the request is stored cancels nothing",
    Thread(
      "A Swift Task cancelled before the URLSession task is registered runs the request to completion",
      "https://github.com/Automattic/wordpress-rs/issues/1518")
  ) { world in
    try await requestIsCancelled(in: world, latches: false)
  } repaired: { world in
    try await requestIsCancelled(in: world, latches: true)
  }

  private static func requestIsCancelled(in world: SimulatedWorld, latches: Bool) async throws {
    let request = Request(latches: latches)
    let caller = world.spawn("caller") {
      await withTaskCancellationHandler {
        await Task.yield()
        request.start()
      } onCancel: {
        request.cancel()
      }
    }
    caller.cancel()
    await caller.waitForEnd()
    world.expect(!request.isRunning, "the request of a cancelled caller runs")
  }

  private final class Request: Sendable {
    private let latches: Bool
    private let state = Mutex((isRunning: false, isCancelled: false))

    init(latches: Bool) { self.latches = latches }

    var isRunning: Bool { state.withLock(\.isRunning) }

    func start() { state.withLock { $0.isRunning = !$0.isCancelled } }

    func cancel() {
      state.withLock {
        $0.isRunning = false
        if latches { $0.isCancelled = true }
      }
    }
  }

  private static let cancelOutrunsStart = BugPattern(
    "cancellation/outruns-start",
    "a button starts its work in a task, and a cancel arrives before that task runs",
    Thread(
      "EG-1: an instant Cancel can outrun the untracked download task and the fetch starts anyway",
      "https://github.com/saurabhav88/EnviousWispr/issues/1607")
  ) { world in
    let downloads = Downloads()
    let start = Task { await downloads.start() }
    await downloads.cancel()
    await start.value
    world.expectEqual(await downloads.isRunning, false, "the download runs:")
  } repaired: { world in
    let downloads = Downloads()
    let start = Task { if !Task.isCancelled { await downloads.start() } }
    start.cancel()
    await start.value
    await downloads.cancel()
    world.expectEqual(await downloads.isRunning, false, "the download runs:")
  }

  private actor Downloads {
    private(set) var isRunning = false

    func start() { isRunning = true }
    func cancel() { isRunning = false }
  }

  private static let servedAfterCancel = BugPattern(
    "cancellation/served-after-cancel", "an unlock passes the mutex to a waiter that is already cancelled",
    Thread(
      "Cancelled AsyncMutex waiters can still enter the critical section",
      "https://github.com/repoprompt/repoprompt-ce/issues/492")
  ) { world in
    await cancelledWaiter(in: world, removesAtOnce: false)
  } repaired: { world in
    await cancelledWaiter(in: world, removesAtOnce: true)
  }

  private static func cancelledWaiter(in world: SimulatedWorld, removesAtOnce: Bool) async {
    let mutex = FairMutex(removesAtOnce: removesAtOnce)
    let wasCancelled = Mutex(false)
    _ = await mutex.lock()
    let waiter = world.spawn("waiter") {
      guard await mutex.lock() else { return }
      world.expect(!wasCancelled.withLock(\.self), "a cancelled waiter has the lock")
      mutex.unlock()
    }
    await world.settle()
    waiter.cancel()
    wasCancelled.withLock { $0 = true }
    mutex.unlock()
    await waiter.waitForEnd()
  }

  /// A mutex for async code with at most one waiter.
  private final class FairMutex: Sendable {
    private struct State {
      var isLocked = false
      var waiter: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())
    private let removesAtOnce: Bool

    init(removesAtOnce: Bool) { self.removesAtOnce = removesAtOnce }

    /// - Returns: Whether the caller has the lock.
    func lock() async -> Bool {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let hasLock = state.withLock { state in
            if state.isLocked { state.waiter = continuation }
            defer { state.isLocked = true }
            return !state.isLocked
          }
          if hasLock { continuation.resume(returning: true) }
        }
      } onCancel: {
        if removesAtOnce { removeWaiter() } else { Task { removeWaiter() } }
      }
    }

    func unlock() {
      let next = state.withLock { state in
        defer { state.waiter = nil }
        state.isLocked = state.waiter != nil
        return state.waiter
      }
      next?.resume(returning: true)
    }

    private func removeWaiter() {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(returning: false)
    }
  }

  private static let permitLost = BugPattern(
    "cancellation/permit-lost", "a cancelled caller of a semaphore takes a permit and does not return it",
    Thread(
      "Semaphore cancellation should increment semaphore value", "https://github.com/groue/Semaphore/pull/3")
  ) { world in
    let permits = Mutex(1)
    try await enter(permits, in: world) { permits.withLock { $0 -= 1 } }
  } repaired: { world in
    let permits = Mutex(1)
    try await enter(permits, in: world) {
      try permits.withLock {
        try Task.checkCancellation()
        $0 -= 1
      }
    }
  }

  private static func enter(
    _ permits: borrowing Mutex<Int>, in world: SimulatedWorld,
    _ take: @escaping @Sendable () throws -> Void
  ) async throws {
    let work = Mutex(0)
    let worker = world.spawn("worker") {
      await Task.yield()
      try take()
      try Task.checkCancellation()
      work.withLock { $0 += 1 }
    }
    let cancellation = world.faults.cancellation(of: worker)
    await worker.waitForEnd()
    await cancellation.waitForEnd()
    world.expectEqual(permits.withLock(\.self) + work.withLock(\.self), 1, "permits:")
  }

  private static let sendHangs = BugPattern(
    "cancellation/send-hangs",
    "a cancelled task waits forever, because its continuation has no cancellation handler",
    Thread(
      "AsyncChannel and AsyncThrowingChannel can hang tasks when that task is cancelled",
      "https://github.com/apple/swift-async-algorithms/issues/131"), .found(.deadlock)
  ) { world in
    let reader = Mutex<CheckedContinuation<Void, Never>?>(nil)
    let sender = world.spawn("sender") {
      await withCheckedContinuation { continuation in reader.withLock { $0 = continuation } }
    }
    sender.cancel()
    await sender.waitForEnd()
  } repaired: { world in
    let reader = Mutex<CheckedContinuation<Void, Never>?>(nil)
    let sender = world.spawn("sender") {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          reader.withLock { $0 = continuation }
          if Task.isCancelled { reader.withLock { $0.take() }?.resume() }
        }
      } onCancel: {
        reader.withLock { $0.take() }?.resume()
      }
    }
    sender.cancel()
    await sender.waitForEnd()
  }

  private static let retriedAfterCancel = BugPattern(
    "cancellation/retried-after-cancel", "a request that is cancelled between two attempts is sent again",
    Thread(
      "RequestRetrier doesn't know whether a request had been canceled before",
      "https://github.com/Alamofire/Alamofire/issues/2340")
  ) { world in
    await retry(in: world) { try? await world.clock.sleep(for: .seconds(1)) }
  } repaired: { world in
    await retry(in: world) { try await world.clock.sleep(for: .seconds(1)) }
  }

  private static func retry(
    in world: SimulatedWorld, pause: @escaping @Sendable () async throws -> Void
  ) async {
    let isCancelled = Mutex(false)
    let request = world.spawn("request") {
      for _ in 1...3 {
        world.expect(!isCancelled.withLock(\.self), "sent after the cancellation")
        try await pause()
      }
    }
    await world.settle(movingTime: false)
    isCancelled.withLock { $0 = true }
    request.cancel()
    await request.waitForEnd()
  }
}
