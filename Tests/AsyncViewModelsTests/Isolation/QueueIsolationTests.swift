import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Testing
import ToolkitTestSupport

@Suite("QueueIsolation", .timeLimit(.minutes(5)), .endsWaits)
struct QueueIsolationTests {
  let queue = DispatchQueue(label: "legacy")

  @Test("code that is isolated to a view model actor runs on the queue")
  func runsOnTheQueue() async {
    let isolation = QueueIsolation(queue)
    #expect(isolation.queue === queue)
    await isolation.checkOnQueue()
    let counter = IsolatedCounter(isolation: isolation)
    await counter.checkOn(queue)
    await Task.yield()
    await counter.checkOn(queue)
  }

  @Test("code on the queue uses a view model actor without waiting")
  func legacyCode() async {
    let counter = IsolatedCounter(isolation: QueueIsolation(queue))
    await queue.run {
      #expect(counter.assumeIsolated { $0.increment() } == 1)
    }
    queue.sync { #expect(counter.assumeIsolated { $0.increment() } == 2) }
    #expect(await counter.count == 2)
  }

  @Test("two actors on one queue share its isolation, even with two `QueueIsolation`s")
  func twoActors() async {
    let isolation = QueueIsolation(queue)
    let counters = [isolation, isolation, QueueIsolation(queue)].map { IsolatedCounter(isolation: $0) }
    #expect(await counters[0].incrementSynchronously(counters[1]) == 1)
    #expect(await counters[0].incrementSynchronously(counters[2]) == 1)
  }

  @Test("no call is lost if tasks and blocks on the queue call a view model actor at the same time")
  func mixedCallers() async {
    let counter = IsolatedCounter(isolation: QueueIsolation(queue))
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<500 { await counter.increment() }
        }
      }
      group.addTask {
        for _ in 0..<500 { queue.async { counter.assumeIsolated { _ = $0.increment() } } }
      }
    }
    await queue.drain()
    #expect(await counter.count == 2_500)
  }

  @Test("blocks and calls run in the order in which they were enqueued")
  func order() async {
    let counter = IsolatedCounter(isolation: QueueIsolation(queue))
    // The queue runs nothing else during this block. So the block determines the order of the three calls.
    let call = queue.sync {
      queue.async { counter.assumeIsolated { #expect($0.increment() == 1) } }
      let call = counter.assumeIsolated { counter in Task { counter.increment() } }
      queue.async { counter.assumeIsolated { #expect($0.increment() == 3) } }
      return call
    }
    #expect(await call.value == 2)
    await queue.drain()
  }

  // On Linux, Dispatch has no priorities.
  #if canImport(Darwin)
    @Test("a call keeps its priority if a thread with a lower priority resumes it")
    func priority() async {
      let counter = IsolatedCounter(isolation: QueueIsolation(queue))
      let background = DispatchQueue(label: "background", qos: .background)
      let task = Task(priority: .userInitiated) { await counter.priorityAfterResumption(on: background) }
      #expect(await task.value == QOS_CLASS_USER_INITIATED)
    }
  #endif

  #if os(macOS) || os(Linux)
    @Test("if code on another queue uses the actor without waiting, the process terminates")
    func anotherQueue() async {
      await #expect(processExitsWith: .failure) {
        let counter = IsolatedCounter(isolation: QueueIsolation(DispatchQueue(label: "legacy")))
        DispatchQueue(label: "another").sync { counter.assumeIsolated { _ = $0.increment() } }
      }
    }

    @Test("if code that runs on no queue uses the actor without waiting, the process terminates")
    func noQueue() async {
      await #expect(processExitsWith: .failure) {
        let counter = IsolatedCounter(isolation: QueueIsolation(DispatchQueue(label: "legacy")))
        incrementSynchronously(counter)
      }
    }
  #endif

  @Test("the isolation lives as long as its actor and no longer")
  func isolationIsKept() async throws {
    try await LeakTracker.check { tracker in
      let counter = tracker.track(IsolatedCounter(isolation: tracker.track(QueueIsolation(queue))))
      #expect(tracker.survivors == ["QueueIsolation", "IsolatedCounter"])
      #expect(await counter.increment() == 1)
    }
  }

  @Test("an actor and its isolation may be released while the last call is still on the queue")
  func lastCall() async {
    await withTaskGroup { group in
      for _ in 0..<2_000 {
        let counter = IsolatedCounter(isolation: QueueIsolation(queue))
        group.addTask { await counter.incrementAfterWaiting() }
        Task { await counter.increment() }
      }
    }
  }
}

extension QueueIsolation {
  fileprivate func checkOnQueue() { dispatchPrecondition(condition: .onQueue(queue)) }
}

extension IsolatedCounter {
  fileprivate func checkOn(_ queue: DispatchQueue) { dispatchPrecondition(condition: .onQueue(queue)) }
}

private func incrementSynchronously(_ counter: IsolatedCounter) {
  counter.assumeIsolated { _ = $0.increment() }
}

#if canImport(Darwin)
  extension IsolatedCounter {
    fileprivate func priorityAfterResumption(on queue: DispatchQueue) async -> qos_class_t {
      await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
      return qos_class_self()
    }
  }
#endif
