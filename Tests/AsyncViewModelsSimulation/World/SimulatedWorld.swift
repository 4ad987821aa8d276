public import AsyncViewModelsTesting

/// One run of a simulation, with its own tasks and its own time. The strategy and the seed decide which ready
/// job runs next.
///
/// All code of the world runs on one thread, one job at a time, from one suspension to the next. Time is
/// virtual and advances only when no job is ready.
///
/// - Jobs of nonisolated tasks and of contended default actors run in any order. Jobs of one host (see
///   ``SimulatedWorldIsolation``) run in the order of their arrival.
/// - A hop to an idle *default* actor runs inline, so the simulation cannot schedule it. Host your actors on
///   ``isolation`` to turn each hop into a choice.
/// - Synchronous code is not interrupted: the code between two suspensions is one step. The simulation does
///   not find data races between threads, or errors in code that uses locks.
/// - On Linux the main actor is a host of the world. On Apple platforms a hop to the main actor leaves the
///   world.
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

  /// The virtual clock of the world. On Linux, from Swift 6.3, `Task.sleep` uses it too. The system's clocks
  /// always return real time.
  public var clock: VirtualClock { core.clock }

  init(core: SimulatedWorldCore) {
    self.core = core
    isolation = SimulatedWorldIsolation(core: core)
  }

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
    _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String = "an expectation",
    file: String = #fileID, line: Int = #line
  ) {
    if !condition() { core.fail(.expectation(message(), at: "\(file):\(line)")) }
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
