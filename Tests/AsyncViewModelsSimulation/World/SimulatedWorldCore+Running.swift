import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import Synchronization

extension SimulatedWorldCore {
  /// Runs the world until no job is left, a task has left the world, or the limit of steps is reached.
  func run(_ root: @escaping @Sendable () async throws -> Void) {
    JobCapture.capturing(for: self) {
      tasks.withLock { $0.nextName = Names.root }
      // The root inherits the task-local values of the test. So the testing library knows to which test an
      // expectation belongs.
      _ = Task(executorPreference: taskExecutor) { [self] in
        do { try await root() } catch { fail(.thrown("\(error)", by: Names.root)) }
        rootHasEnded = true
      }
      loop()
      checkEnd()
    }
  }

  /// Releases everything that a finished run still holds.
  func end() {
    releaseExecutors()
    for queue in queues.queues.values { queue.release() }
    queues = QueueRecords()
    ready = []
    timers = []
  }

  private func loop() {
    while true {
      if let departure = departure.withLock({ $0 }) { return fail(departure) }
      guard !ready.isEmpty else {
        guard continueWithoutReadyJob() else { return }
        continue
      }
      guard steps < limits.steps else { return fail(.livelock(steps: steps, running: name(of: running))) }
      step()
    }
  }

  private func step() {
    let index = pick()
    let job = ready.remove(at: index)
    steps += 1
    running = job.task
    hash.mix(UInt64(truncatingIfNeeded: job.task))
    timeline?.note(.ran(job.task, instead: optionTasks.filter { $0 != job.task }), step: steps, at: clock.now)
    run(job)
    // A job that only resumes a continuation is not a separate step, so the resumed task runs immediately.
    if job.resumesContinuation, let last = ready.last, last.task == job.task, last.lane == 0 {
      ready.removeLast()
      run(last)
    }
  }

  func run(_ job: ReadyJob) {
    jobStart = .now
    switch job.work {
    case .block(let block):
      let outer = blockLane
      blockLane = job.lane
      block()
      blockLane = outer
    case .job(let work):
      let serial = unsafe executors[job.lane].map { unsafe $0.asUnownedSerialExecutor() }
      guard job.prefersTaskExecutor, let taskExecutor else {
        return unsafe work.runSynchronously(on: serial ?? Self.generic)
      }
      let preferred = unsafe taskExecutor.asUnownedTaskExecutor()
      guard let serial = unsafe serial else { return unsafe work.runSynchronously(on: preferred) }
      unsafe work.runSynchronously(isolatedTo: serial, taskExecutor: preferred)
    }
  }

  /// The runtime's representation of "no actor": two zero words.
  private static let generic = unsafe unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

  private func pick() -> Int {
    options.removeAll(keepingCapacity: true)
    optionTasks.removeAll(keepingCapacity: true)
    pickCount += 1
    var canContinue = false
    for index in ready.indices {
      let job = ready[index]
      if job.lane > 0 {
        guard laneStamps[job.lane] != pickCount else { continue }
        laneStamps[job.lane] = pickCount
      }
      if job.task == running, !canContinue {
        canContinue = true
        options.insert(index, at: 0)
        optionTasks.insert(job.task, at: 0)
      } else {
        options.append(index)
        optionTasks.append(job.task)
      }
    }
    guard options.count > 1 else { return options[0] }
    let chosen = chooser.choose(among: optionTasks, canContinue: canContinue)
    record(Choice(count: options.count, chosen: chosen, costsPreemption: canContinue))
    return options[chosen]
  }

  func record(_ choice: Choice) {
    choices.append(choice)
    hash.mix(UInt64(truncatingIfNeeded: choice.count) << 32 | UInt64(truncatingIfNeeded: choice.chosen))
  }

  /// Resumes a task that waits in `settle`, or advances the time. Returns false if nothing is left to do.
  private func continueWithoutReadyJob() -> Bool {
    if let index = settlers.firstIndex(where: { !$0.movesTime }) {
      settlers.remove(at: index).continuation.resume()
      return true
    }
    let next = [timers.first?.due, clock.nextDeadline].compactMap(\.self).min()
    if let next {
      clock.advance(to: next)
      timeline?.note(.timeMoved, step: steps, at: next)
      while let timer = timers.first, timer.due <= next {
        ready.append(timer.job)
        timers.removeFirst()
      }
      return true
    }
    if !settlers.isEmpty {
      settlers.removeFirst().continuation.resume()
      return true
    }
    return false
  }

  private func checkEnd() {
    guard reason == nil else { return }
    if let departure = departure.withLock({ $0 }) { return fail(departure) }
    let unfinished = spawned.filter { !$0.hasEnded }.map(\.name)
    if rootHasEnded, unfinished.isEmpty { return }
    // Waits before it reports a deadlock: another thread may be about to resume a task that left the world.
    for _ in 0..<limits.patience where departure.withLock({ $0 }) == nil { usleep(1_000) }
    if let departure = departure.withLock({ $0 }) { return fail(departure) }
    if rootHasEnded { return fail(.unfinished(unfinished)) }
    fail(.deadlock(waiting: [Names.root] + unfinished))
  }

  func settle(movingTime: Bool) async {
    await withCheckedContinuation { settlers.append((movingTime, $0)) }
  }
}
