@_exported public import AsyncViewModelsVirtualTime

/// One run of a simulation: its tasks, its virtual time, its choices and its faults.
///
/// ```swift
/// try await simulate { world in
///   let cart = Cart(clock: world.clock, isolation: world.isolation)
///   let buyer = world.spawn("buyer") { try await cart.checkOut() }
///   world.faults.cancellation(of: buyer)
///   await world.settle()
///   world.expect(await cart.orders <= 1)
/// }
/// ```
///
/// One thread at a time runs code of the world, one job at a time, from one suspension to the next.
/// The seed chooses the next job. Time advances when no job is ready.
///
/// | code | order |
/// | --- | --- |
/// | tasks without an actor | any |
/// | an actor, the main actor (Linux), the actors on ``isolation`` | the order of arrival; each hop is a choice |
/// | a return from an async function to code without an actor | a choice; not with `.exhaustive` |
/// | code between two suspensions | one step; see ``Interruptions/atLocks`` |
/// | two adjacent calls to one actor | one step, unless `await Task.yield()` stands between them: the compiler removes the hops |
/// | task priorities | change no order |
/// | dispatch queues | real; see ``QueueScheduling`` |
///
/// A task that waits for something outside the world, such as a socket, fails the run with
/// ``SimulationFailure/Reason/leftTheWorld(_:call:)``. On Apple platforms, these are outside, too:
/// the main actor, `Task.sleep`, and `Task.yield()` in an unstructured task (from runtime 6.3 on).
///
/// - Isolation: Use the members in code of the world. Any thread may call the expectations and
///   ``fail(_:file:line:)`` until the run ends.
public final class SimulatedWorld: Sendable {
  let core: SimulatedWorldCore

  /// An actor whose executor the actors under test can share.
  ///
  /// ```swift
  /// actor Counter {
  ///   private nonisolated let isolation: any Actor
  ///   nonisolated var unownedExecutor: UnownedSerialExecutor { isolation.unownedExecutor }
  /// }
  /// ```
  ///
  /// Each hop to such an actor is a choice of the seed. On Linux, so is each hop to a plain actor.
  /// On Apple platforms, a hop from one plain actor to another is no choice in a task of
  /// `Task { }`.
  public let isolation: any Actor

  /// The virtual clock of the world. On Linux, `Task.sleep` and the system's clocks use its time,
  /// too.
  ///
  /// | code of the world uses (Linux) | time |
  /// | --- | --- |
  /// | `Date()` and other wall clocks | 2026-01-01 00:00:00 UTC at the start of each run |
  /// | `ContinuousClock.now`, `SuspendingClock.now`, `ProcessInfo.systemUptime` | a million seconds at the start |
  /// | `DispatchTime.now()` | the same with simulated queues, real with real queues |
  /// | `Thread.sleep` | virtual; other jobs run meanwhile with simulated queues or `.atLocks` |
  /// | `NSCondition.wait(until:)` | virtual with simulated queues; returns at once with real queues |
  ///
  /// After 1,000 reads at one time, each further read shows a time that is one millisecond later.
  /// So a loop that polls a clock ends. A run loop that waits fails the run. Threads outside the
  /// world read real clocks.
  public var clock: VirtualClock { core.clock }

  init(core: SimulatedWorldCore) {
    self.core = core
    isolation = SimulatedWorldIsolation(core: core)
    core.world = self
  }

  /// The world that runs the calling code, or nil outside a simulation. For a test with the trait
  /// `simulated`.
  public static var current: SimulatedWorld? { JobCapture.current?.world }

  /// Starts a named task. The run fails if the task never ends, or throws an error other than
  /// `CancellationError`.
  ///
  /// - Parameters:
  ///   - name: The name of the task in the timeline of a failing run.
  ///   - canBeLeftOut: Whether all expectations also hold without this task. The reduction of a
  ///     failing run removes only such tasks.
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
  /// - Parameter movingTime: Whether to advance the time for tasks that wait for it. Pass false to
  ///   wait only until no job is ready.
  public func settle(movingTime: Bool = true) async {
    precondition(core.isCurrent, "SimulatedWorld.settle: called from outside the world")
    await core.settle(movingTime: movingTime)
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
