#if !canImport(Darwin)
  import AsyncViewModelsSimulation
  import Dispatch
  import Foundation
  import SimulatedQueues
  import Synchronization

  extension BugPattern {
    static let onQueues = [
      reusedCell, leftTwice, cancelledTimerFires, resetAfterUpdate, startedTooEarly, missingBarrier,
      readThenWritten,
      timerResumes, operationFinishes,
    ]
    private static let reusedCell = BugPattern(
      "queues/reused-cell", "a cell is reused for another row, and the image of the first row arrives last",
      Thread(
        "Incorrect table cell reuse in PHImageManager article",
        "https://github.com/NSHipster/articles/issues/209"),
      queues: .simulated
    ) { world in
      await scroll(in: world) { cell, row in cell.state.withLock { $0.image = row } }
    } repaired: { world in
      await scroll(in: world) { cell, row in cell.state.withLock { if $0.row == row { $0.image = row } } }
    }

    private final class Cell: Sendable {
      let state = Mutex((row: 0, image: 0))
    }

    private static func scroll(
      in world: SimulatedWorld, show: @escaping @Sendable (_ cell: Cell, _ row: Int) -> Void
    ) async {
      let cell = Cell()
      for row in 1...2 {
        cell.state.withLock { $0.row = row }
        DispatchQueue.global().async { DispatchQueue.main.async { show(cell, row) } }
      }
      await world.settle()
      world.expectEqual(cell.state.withLock(\.image), 2, "the image:")
    }

    private static let leftTwice = BugPattern(
      "queues/left-twice",
      "a completion that is called twice leaves its group twice, so the group is empty too early",
      Thread(
        "Crash: Unbalanced call to dispatch_group_leave()",
        "https://github.com/Ranchero-Software/NetNewsWire/issues/2518"), queues: .simulated
    ) { world in
      await refresh(in: world) { group, _ in group.leave() }
    } repaired: { world in
      await refresh(in: world) { group, hasLeft in
        let isFirst = hasLeft.withLock { hasLeft in
          defer { hasLeft = true }
          return !hasLeft
        }
        if isFirst { group.leave() }
      }
    }

    private static func refresh(
      in world: SimulatedWorld, leave: @escaping @Sendable (DispatchGroup, borrowing Mutex<Bool>) -> Void
    ) async {
      let group = DispatchGroup()
      let (hasLeft, completed) = (Once(), Once())
      group.enter()
      group.enter()
      for _ in 1...(world.flip() ? 2 : 1) { DispatchQueue.global().async { leave(group, hasLeft.flag) } }
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
        completed.flag.withLock { $0 = true }
        group.leave()
      }
      group.notify(queue: .main) { world.expect(completed.flag.withLock(\.self), "one part is not complete") }
      await world.settle()
    }

    private final class Once: Sendable {
      let flag = Mutex(false)
    }

    private static let cancelledTimerFires = BugPattern(
      "queues/cancelled-timer-fires",
      "a timer captures whether it is cancelled when it starts, so it always fires",
      Thread(
        "Fix for NetworkObserver Timer.cancel() (#344)",
        "https://github.com/ProcedureKit/ProcedureKit/pull/421"),
      queues: .simulated
    ) { world in
      let isCancelled = Mutex(false)
      let wasCancelled = isCancelled.withLock(\.self)
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) { world.expect(wasCancelled, "the timer fires") }
      isCancelled.withLock { $0 = true }
      await world.settle()
    } repaired: { world in
      let isCancelled = Mutex(false)
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
        world.expect(isCancelled.withLock(\.self), "the timer fires")
      }
      isCancelled.withLock { $0 = true }
      await world.settle()
    }

    private static let resetAfterUpdate = BugPattern(
      "queues/reset-after-update",
      "a view resets its image in a later block, which may run after the new image is set",
      Thread(
        "Fix potential race condition in AsyncImageView.init",
        "https://github.com/NachoSoto/AsyncImageView/issues/13"), queues: .simulated
    ) { world in
      let image = Mutex<Int?>(nil)
      DispatchQueue(label: "reset").async { image.withLock { $0 = nil } }
      DispatchQueue(label: "images").async { image.withLock { $0 = 1 } }
      await world.settle()
      world.expectEqual(image.withLock(\.self), 1, "the image:")
    } repaired: { world in
      let image = Mutex<Int?>(nil)
      image.withLock { $0 = nil }
      DispatchQueue(label: "images").async { image.withLock { $0 = 1 } }
      await world.settle()
      world.expectEqual(image.withLock(\.self), 1, "the image:")
    }

    private static let startedTooEarly = BugPattern(
      "queues/started-too-early", "a server submits its loop before it sets the state that the loop checks",
      Thread("Fix bug where server may fail to start", "https://github.com/httpswift/swifter/pull/317"),
      queues: .simulated, interruptions: .atLocks
    ) { world in
      let isRunning = Mutex(false)
      DispatchQueue.global().async { world.expect(isRunning.withLock(\.self), "the server does not run") }
      isRunning.withLock { $0 = true }
      await world.settle()
    } repaired: { world in
      let isRunning = Mutex(false)
      isRunning.withLock { $0 = true }
      DispatchQueue.global().async { world.expect(isRunning.withLock(\.self), "the server does not run") }
      await world.settle()
    }

    private static let readThenWritten = BugPattern(
      "queues/read-then-written",
      "`value += 1` on a property that is guarded by a queue is a read and a write",
      Thread(
        "fix: Atomic increment is now performed within one enqueued operation",
        "https://github.com/segmentio/analytics-swift/pull/330"), queues: .simulated, interruptions: .atLocks
    ) { world in
      await increment(in: world) { guarded in guarded.value += 1 }
    } repaired: { world in
      await increment(in: world) { guarded in guarded.queue.sync { guarded.stored += 1 } }
    }

    private static func increment(
      in world: SimulatedWorld, _ increment: @escaping @Sendable (Guarded) -> Void
    ) async {
      let guarded = Guarded()
      await world.inParallel { _ in increment(guarded) }
      world.expectEqual(guarded.value, 2, "the value:")
    }

    /// `@unchecked Sendable`: only blocks of the queue use `stored`.
    private final class Guarded: @unchecked Sendable {
      let queue = DispatchQueue(label: "guarded")
      var stored = 0
      var value: Int {
        get { queue.sync { stored } }
        set { queue.sync { stored = newValue } }
      }
    }

    private static let missingBarrier = BugPattern(
      "queues/missing-barrier", "writes on a concurrent queue have no barrier, so one of them is lost",
      Thread(
        "Possible Crash on ReadWrite.write(after:_)", "https://github.com/Tealium/tealium-swift/issues/112"),
      queues: .simulated, interruptions: .atLocks
    ) { world in
      await write(in: world, on: DispatchQueue(label: "values", attributes: .concurrent))
    } repaired: { world in
      await write(in: world, on: DispatchQueue(label: "values"))
    }

    private static func write(in world: SimulatedWorld, on queue: DispatchQueue) async {
      let count = Locked(0)
      for _ in 1...2 {
        queue.async {
          let before = count.withLock(\.self)
          count.withLock { $0 = before + 1 }
        }
      }
      await world.settle()
      world.expectEqual(count.withLock(\.self), 2, "the count:")
    }

    private static let timerResumes = BugPattern(
      "queues/timer-resumes", "a timer of Dispatch resumes a task, and a cancelled timer never does",
      Thread(
        "Fix a race condition bug involving timers and async tasks",
        "https://github.com/mullvad/mullvadvpn-app/pull/6045"), .found(.deadlock), queues: .simulated
    ) { world in
      await sleep(in: world) { timer, resume in timer.source.setEventHandler(handler: resume) }
    } repaired: { world in
      await sleep(in: world) { timer, resume in
        timer.source.setEventHandler { timer.source.cancel() }
        timer.source.setCancelHandler(handler: resume)
      }
    }

    private static func sleep(
      in world: SimulatedWorld,
      _ resume:
        @escaping @Sendable (_ timer: Timer, _ body: @escaping @Sendable () -> Void) -> Void
    ) async {
      let sleeper = world.spawn("sleeper") {
        let timer = Timer()
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            resume(timer) { continuation.resume() }
            timer.source.resume()
          }
        } onCancel: {
          timer.source.cancel()
        }
      }
      world.faults.cancellation(of: sleeper, upTo: .seconds(2))
      await sleeper.waitForEnd()
    }

    /// `@unchecked Sendable`: sources of Dispatch can be used from any thread.
    private struct Timer: @unchecked Sendable {
      let source = DispatchSource.makeTimerSource(queue: .global())

      init() { source.schedule(deadline: .now() + 1) }
    }

    private static let operationFinishes = BugPattern(
      "queues/operation-finishes",
      "an operation is observed after it was added, when it may have finished already",
      Thread("KVO observer race in BlockOperation", "https://github.com/swiftlang/swift/issues/59363"),
      .found(.deadlock), queues: .simulated
    ) { world in
      let waiter = world.spawn("waiter") {
        let operation = BlockOperation {}
        let queue = OperationQueue()
        queue.addOperation(operation)
        await Task.yield()
        await withCheckedContinuation { continuation in operation.completionBlock = { continuation.resume() }
        }
      }
      await waiter.waitForEnd()
    } repaired: { world in
      let waiter = world.spawn("waiter") {
        let operation = BlockOperation {}
        let queue = OperationQueue()
        let (completions, completion) = AsyncStream<Void>.makeStream()
        operation.completionBlock = { completion.finish() }
        queue.addOperation(operation)
        for await _ in completions {}
      }
      await waiter.waitForEnd()
    }
  }
#endif
