@_exported public import AsyncViewModelsVirtualTime

/// One run of a simulation, with its own tasks and its own time. The strategy and the seed decide which ready
/// job runs next.
///
/// One thread at a time runs code of the world, one job at a time, from one suspension to the next. Time is
/// virtual and advances only when no job is ready.
///
/// - Jobs of nonisolated tasks run in any order. Jobs of one actor or one host (see ``SimulatedWorldIsolation``) run in the order of
///   their arrival. Priorities change no order, except among jobs that the runtime itself enqueues on a plain actor, such as an
///   `isolated deinit`. Such jobs run in one step, and an exhaustive simulation with them is not ``SimulationSummary/isExhaustive``.
/// - Each hop to an actor is a choice of the seed, and so is each return from an async function to code without an actor. With an
///   exhaustive strategy, code without an actor continues until it suspends or hops to an actor, so that the number of interleavings
///   stays small. Such a simulation misses orders of synchronous code that shares state. On Apple platforms, a hop from one plain actor to another is no choice, and an exhaustive
///   simulation with plain actors is never ``SimulationSummary/isExhaustive``.
/// - Synchronous code is not interrupted: the code between two suspensions is one step. With `interruptions: .atLocks`, it is
///   interrupted at locks and atomic operations (see ``Interruptions/atLocks``). The simulation does not find data races.
/// - On Linux the main actor is a host of the world. On Apple platforms a hop to the main actor leaves the
///   world, and so do `Task.sleep` and, with a runtime of Swift 6.3 or newer, `Task.yield()` in an unstructured task.
/// - Nothing runs between two adjacent calls to one actor: the compiler removes the hops between them, so they are
///   one step. Write `await Task.yield()` between them to see what other tasks can do there.
/// - A task that waits for something outside the world leaves the world, which fails the run. Examples are a socket,
///   another test, and a dispatch queue, unless the simulation runs with `queues: .simulated` of the module
///   `SimulatedQueues`.
///
/// Only code of the world may use these members. The exceptions are the expectations and `fail`: any thread may call
/// them until the run ends.
public final class SimulatedWorld: Sendable {
  let core: SimulatedWorldCore

  /// The default host for the actors under test.
  public let isolation: SimulatedWorldIsolation

  /// The virtual clock of the world. On Linux, `Task.sleep` and the system's clocks use it too, on the threads of the world.
  ///
  /// - `Date()` and other wall clocks show 2026-01-01 00:00:00 UTC at the start of each run.
  /// - `ContinuousClock.now`, `SuspendingClock.now`, `ProcessInfo.systemUptime` and, with simulated queues, `DispatchTime.now()` show a
  ///   million seconds at the start of each run.
  /// - Code that reads a clock more than 1,000 times while no time passes is a busy wait: each further read shows a time that is one
  ///   millisecond later. So a loop until a deadline ends. After the step, this clock has the last time that was shown.
  /// - `Thread.sleep` takes virtual time. With real queues and without `interruptions: .atLocks`, no other job runs meanwhile.
  /// - With real queues, `NSCondition.wait(until:)` returns at once, because the system compares the date with the real clock.
  /// - A run loop that waits makes the run fail.
  ///
  /// Threads outside the world read the real clocks, and so does libdispatch in a world with real queues. On Apple platforms, the
  /// system's clocks always show real time.
  public var clock: VirtualClock { core.clock }

  init(core: SimulatedWorldCore) {
    self.core = core
    isolation = SimulatedWorldIsolation(core: core)
    core.world = self
  }

  /// The world that runs the calling code, or nil outside a simulation. For a test with the trait `simulated`.
  public static var current: SimulatedWorld? { JobCapture.current?.world }

  /// Creates another host, for actors that must not share an isolation.
  public func makeIsolation() -> SimulatedWorldIsolation { SimulatedWorldIsolation(core: core) }

  /// Starts a named task. The run fails if the task never ends, or if it throws an error other than
  /// `CancellationError`.
  ///
  /// - Parameters:
  ///   - name: The name of the task in the timeline of a failing run.
  ///   - canBeLeftOut: Whether all expectations also hold without this task. When the simulation reduces a
  ///     failing run to a smaller one, it removes only such tasks.
  ///   - body: The code of the task.
  @discardableResult
  public func spawn(
    _ name: String, canBeLeftOut: Bool = false, _ body: @escaping @Sendable () async throws -> Void
  ) -> SimulatedTask {
    precondition(core.isCurrent, "SimulatedWorld.spawn: called from outside the world, for \"\(name)\"")
    return core.spawn(name, canBeLeftOut: canBeLeftOut, body)
  }

  /// Waits until no job is ready and no task waits for the clock.
  ///
  /// - Parameter movingTime: Whether to advance the time for tasks that wait for it. Pass false to wait only
  ///   until no job is ready.
  public func settle(movingTime: Bool = true) async {
    precondition(core.isCurrent, "SimulatedWorld.settle: called from outside the world")
    await core.settle(movingTime: movingTime)
  }

  /// Fails the run unless a condition holds within some virtual time.
  ///
  /// Checks the condition whenever no job is ready, and then after 1, 2, 4, 8 … milliseconds. Returns as soon as the condition holds.
  ///
  /// - Complexity: O(log `limit`) checks.
  public func eventually(
    _ message: @autoclosure () -> String = "a condition", within limit: Duration = .seconds(3_600),
    file: String = #fileID, line: Int = #line, _ condition: () async -> Bool
  ) async {
    let deadline = clock.now.advanced(by: limit)
    var pause = Duration.milliseconds(1)
    while true {
      await settle(movingTime: false)
      if await condition() { return }
      guard clock.now < deadline else { break }
      try? await clock.sleep(until: min(clock.now.advanced(by: pause), deadline))
      // A cancelled task does not sleep.
      if Task.isCancelled { break }
      pause *= 2
    }
    fail("\(message()) does not hold within \(limit)", file: file, line: line)
  }

  /// Returns a number in `0..<count`, chosen by the seed. The reduction of a failing run prefers 0.
  ///
  /// - Precondition: `count` is positive.
  public func choose(_ count: Int) -> Int {
    precondition(count > 0, "SimulatedWorld.choose: the count must be positive, but is \(count)")
    precondition(core.isCurrent, "SimulatedWorld.choose: called from outside the world")
    return core.choose(count)
  }

  /// Returns an element, chosen by the seed. The reduction of a failing run prefers the first.
  ///
  /// - Precondition: `elements` is not empty.
  public func choose<Element>(from elements: [Element]) -> Element { elements[choose(elements.count)] }

  /// Returns true or false, chosen by the seed. The reduction of a failing run prefers `false`.
  public func flip() -> Bool { choose(2) == 1 }

  /// Faults that the seed injects.
  public var faults: SimulatedWorldFaults { SimulatedWorldFaults(world: self) }

  /// Adds a line to the timeline of a failing run. Other runs do not evaluate `text`.
  public func log(_ text: @autoclosure () -> String) {
    if core.isCurrent, core.timeline != nil { core.log(text()) }
  }

  /// Fails the run unless the condition holds. Only the first failure of a run is reported.
  ///
  /// Any thread may call this function until the run ends.
  public func expect(
    _ condition: Bool, _ message: @autoclosure () -> String = "an expectation",
    file: String = #fileID, line: Int = #line
  ) {
    if !condition { core.fail(.expectation(message(), at: "\(file):\(line)")) }
  }

  /// Fails the run unless both values are equal. The report shows both.
  public func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ message: @autoclosure () -> String = "",
    file: String = #fileID, line: Int = #line
  ) {
    guard actual != expected else { return }
    let text = "\(message()) expected \(expected), got \(actual)".drop { $0 == " " }
    core.fail(.expectation(String(text), at: "\(file):\(line)"))
  }

  /// Fails the run with a message.
  public func fail(_ message: String, file: String = #fileID, line: Int = #line) {
    core.fail(.expectation(message, at: "\(file):\(line)"))
  }
}
