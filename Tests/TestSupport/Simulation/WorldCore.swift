import Synchronization

/// What a world is made of: the jobs that are ready, the choice among them, and the record of what was chosen.
///
/// Guarded by the thread that runs the world: every member is used there only, but for `tasks` and `leaver`, which have locks of their
/// own. (Hence @unchecked.)
final class WorldCore: @unchecked Sendable {
  struct Limits {
    var steps = 10_000
  }

  /// A job that could run now.
  struct ReadyJob {
    let job: UnownedJob
    let task: Int
    /// 0 for jobs without an order among them; the number of a host, whose jobs run in the order in which they came.
    let lane: Int
    let resumesContinuation: Bool
  }

  struct Timer {
    let due: VirtualClock.Instant
    let job: ReadyJob
  }

  private enum Names {
    static let root = "body"
  }

  let clock = VirtualClock()
  let limits: Limits
  private let chooser: any Chooser
  private let omitted: Set<Int>

  var ready: [ReadyJob] = []
  private var timers: [Timer] = []
  private var settlers: [(movesTime: Bool, continuation: CheckedContinuation<Void, Never>)] = []
  private var options: [Int] = []
  private var optionTasks: [Int] = []
  private var running = 0
  private var hostCount = 0
  private var spawnCount = 0

  private(set) var steps = 0
  private(set) var choices: [Choice] = []
  private(set) var hash = ScheduleHash()
  private(set) var reason: SimulationFailure.Reason?
  private(set) var spawned: [SimulatedTask] = []
  private(set) var optionalSpawns: [Int] = []
  private var rootHasEnded = false

  /// The record for the report; nil where nobody will read it.
  private(set) var timeline: Timeline?

  private let tasks = Mutex(TaskNumbers())
  private let leaver = Mutex<Int?>(nil)

  init(chooser: any Chooser, omitted: Set<Int> = [], limits: Limits = Limits(), records: Bool = false) {
    self.chooser = chooser
    self.omitted = omitted
    self.limits = limits
    timeline = records ? Timeline() : nil
  }

  var isCurrent: Bool { JobCapture.current === self }

  // MARK: Jobs

  func enqueue(_ job: UnownedJob, lane: Int) {
    let ready = readyJob(job, lane: lane)
    self.ready.append(ready)
  }

  func enqueue<Delay: DurationProtocol>(_ job: UnownedJob, after delay: Delay) {
    // Real clocks tell another time in each run. The moment is rounded, so that it is the same one each time.
    let delay = (delay as? Duration ?? .zero).roundedToMilliseconds
    let timer = Timer(due: clock.now.advanced(by: delay), job: readyJob(job, lane: 0))
    let index = timers.lastIndex { $0.due <= timer.due }.map { $0 + 1 } ?? 0
    timers.insert(timer, at: index)
  }

  private func readyJob(_ job: UnownedJob, lane: Int) -> ReadyJob {
    let identity = JobIdentity(job)
    let task = identity.task == 0 ? running : number(of: identity.task)
    return ReadyJob(job: job, task: task, lane: lane, resumesContinuation: identity.resumesContinuation)
  }

  private func number(of task: UInt64) -> Int {
    let (number, isNew) = tasks.withLock { $0.number(of: task, creator: running) }
    if isNew { timeline?.note(.created(number), step: steps, at: clock.now) }
    return number
  }

  /// Whether a task has been seen here. From any thread.
  func owns(_ task: UInt64) -> Bool { tasks.withLock { $0.numbers[task] != nil } }

  /// Says that a task was resumed by somebody else. From any thread.
  func markLeft(by task: UInt64) {
    let number = tasks.withLock { $0.numbers[task] }
    leaver.withLock { $0 = $0 ?? number }
  }

  func name(of task: Int) -> String { tasks.withLock { $0.name(of: task) } }

  func makeLane() -> Int {
    hostCount += 1
    precondition(hostCount < 64, "World: more than 63 isolations and queues in one world")
    return hostCount
  }

  // MARK: Running

  /// Runs a world to its end.
  func run(_ root: @escaping @Sendable () async throws -> Void) {
    JobCapture.capturing(for: self) {
      tasks.withLock { $0.nextName = Names.root }
      _ = Task.detached { [self] in
        do { try await root() } catch { fail(.thrown("\(error)", by: Names.root)) }
        rootHasEnded = true
      }
      loop()
      checkEnd()
    }
  }

  /// Lets go of what a run that is over still holds.
  func end() {
    lanes = []
    ready = []
    timers = []
  }

  private func loop() {
    while true {
      if let leaver = leaver.withLock({ $0 }) { return fail(.leftTheWorld(name(of: leaver))) }
      guard !ready.isEmpty else {
        guard goOnWithoutReadyJob() else { return }
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
    // The resumption of a continuation by itself is nothing that a task does: the task follows at once.
    if job.resumesContinuation, let last = ready.last, last.task == job.task, last.lane == 0 {
      ready.removeLast()
      run(last)
    }
  }

  private func run(_ job: ReadyJob) {
    if job.lane > 0 {
      unsafe job.job.runSynchronously(on: lanes[job.lane - 1].asUnownedSerialExecutor())
    } else {
      unsafe job.job.runSynchronously(on: Self.generic)
    }
  }

  /// What stands for "no actor" in the runtime: two zero words.
  private static let generic = unsafe unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

  var lanes: [WorldExecutor] = []

  private func pick() -> Int {
    options.removeAll(keepingCapacity: true)
    optionTasks.removeAll(keepingCapacity: true)
    var lanesSeen: UInt64 = 0
    var canContinue = false
    for index in ready.indices {
      let job = ready[index]
      if job.lane > 0 {
        guard lanesSeen & (1 << job.lane) == 0 else { continue }
        lanesSeen |= 1 << job.lane
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

  private func record(_ choice: Choice) {
    choices.append(choice)
    hash.mix(UInt64(truncatingIfNeeded: choice.count) << 32 | UInt64(truncatingIfNeeded: choice.chosen))
  }

  /// Resumes who waits for this, or moves time on. Returns false where there is nothing left to do.
  private func goOnWithoutReadyJob() -> Bool {
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
    let unfinished = spawned.filter { !$0.hasEnded }.map(\.name)
    if rootHasEnded, unfinished.isEmpty { return }
    // Before this is called a deadlock, whoever is about to come back from another thread gets a moment.
    for _ in 0..<20 where leaver.withLock({ $0 }) == nil { Pause.millisecond() }
    if let leaver = leaver.withLock({ $0 }) { return fail(.leftTheWorld(name(of: leaver))) }
    if rootHasEnded { return fail(.unfinished(unfinished)) }
    fail(.deadlock(waiting: [Names.root] + unfinished))
  }

  func settle(movingTime: Bool) async {
    await withCheckedContinuation { settlers.append((movingTime, $0)) }
  }

  // MARK: What happens

  /// Keeps the first failure of the run, which goes on to its end, so that nothing is left suspended.
  func fail(_ reason: SimulationFailure.Reason) {
    guard self.reason == nil else { return }
    self.reason = reason
    timeline?.note(.failed(reason), step: steps, at: clock.now)
    timeline?.close()
  }

  func choose(_ count: Int, quietly: Bool = false) -> Int {
    guard count > 1 else { return 0 }
    let chosen = chooser.choose(count)
    record(Choice(count: count, chosen: chosen, costsPreemption: false))
    if !quietly { timeline?.note(.chose(chosen, of: count, by: running), step: steps, at: clock.now) }
    return chosen
  }

  func log(_ text: String) { timeline?.note(.said(text, by: running), step: steps, at: clock.now) }

  func spawn(
    _ name: String, canBeLeftOut: Bool, _ body: @escaping @Sendable () async throws -> Void
  ) -> SimulatedTask {
    let handle = SimulatedTask(name: name)
    defer { spawnCount += 1 }
    if canBeLeftOut { optionalSpawns.append(spawnCount) }
    guard !omitted.contains(spawnCount) else {
      handle.end()
      return handle
    }
    tasks.withLock { $0.nextName = name }
    spawned.append(handle)
    handle.start(
      Task { [self] in
        do { try await body() } catch {
          if !(error is CancellationError) { fail(.thrown("\(error)", by: name)) }
        }
        handle.end()
      })
    return handle
  }
}

extension Duration {
  fileprivate var roundedToMilliseconds: Duration {
    let (seconds, attoseconds) = components
    return .seconds(seconds) + .milliseconds((attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
  }
}
