public import AsyncViewModelsTesting

/// One run of a simulation: a process of its own as far as tasks and time go, in which a seed decides which of the ready jobs runs next.
///
/// Everything that is done in the world happens on one thread, one job at a time, from one suspension to the next. Which job that is
/// decides the world's strategy. Time is virtual, and moves on only when nothing is ready.
///
/// - Jobs of tasks that are not isolated, and of contended default actors, run in any order. What is isolated to one host runs in the
///   order in which it arrived there.
/// - A hop to a *default* actor that is free is not seen: it runs inline. Host your actors on ``isolation`` to make it a choice.
/// - Synchronous code is not interrupted: what happens between two suspensions is one step. Races between threads, in code that is
///   guarded by locks, are not found here.
/// - The main actor is a host of the world, on Linux; on Apple's platforms a hop to it leaves the world.
/// - A task that waits for what is not of this world (a socket, another test, a dispatch queue where the module `SimulatedQueues` is not
///   linked) leaves it, which fails the run.
///
/// Every member is used from the world's own tasks.
public final class SimulatedWorld: Sendable {
  let core: SimulatedWorldCore

  /// The host of the actors under test.
  public let isolation: SimulatedWorldIsolation

  /// The world's time. From Swift 6.3 on Linux, `Task.sleep` waits for it too; what the system's clocks tell is real time everywhere.
  public var clock: VirtualClock { core.clock }

  init(core: SimulatedWorldCore) {
    self.core = core
    isolation = SimulatedWorldIsolation(core: core)
  }

  /// Another host. Give one each to actors that must not share an isolation.
  public func makeIsolation() -> SimulatedWorldIsolation { SimulatedWorldIsolation(core: core) }

  /// Starts a task that is known by a name. What it throws fails the run, unless it is a `CancellationError`; that it does not end
  /// by itself does too.
  ///
  /// - Parameter canBeLeftOut: whether every expectation of this world would hold without the task. Only such tasks are taken away when a
  ///   failing run is made smaller.
  @discardableResult
  public func spawn(
    _ name: String, canBeLeftOut: Bool = false, _ body: @escaping @Sendable () async throws -> Void
  ) -> SimulatedTask {
    precondition(core.isCurrent, "World.spawn: called from outside of the world, for \(name)")
    return core.spawn(name, canBeLeftOut: canBeLeftOut, body)
  }

  /// Waits until nothing in the world is ready, and, unless told otherwise, nobody waits for a time.
  public func settle(movingTime: Bool = true) async {
    precondition(core.isCurrent, "World.settle: called from outside of the world")
    await core.settle(movingTime: movingTime)
  }

  /// One of `0 ..< count`, as the seed decides. A failing run is reduced towards 0.
  public func choose(_ count: Int) -> Int {
    precondition(count > 0, "World.choose: nothing to choose from (\(count))")
    precondition(core.isCurrent, "World.choose: called from outside of the world")
    return core.choose(count)
  }

  /// One of these, as the seed decides. A failing run is reduced towards the first.
  public func choose<Element>(from elements: [Element]) -> Element { elements[choose(elements.count)] }

  /// Whether something happens, as the seed decides. A failing run is reduced towards `false`.
  public func flip() -> Bool { choose(2) == 1 }

  /// What the seed breaks.
  public var faults: SimulatedWorldFaults { SimulatedWorldFaults(world: self) }

  /// Writes a line into the timeline of a failing run. It costs nothing in the others.
  public func log(_ text: @autoclosure () -> String) {
    if core.isCurrent, core.timeline != nil { core.log(text()) }
  }

  /// Fails the run unless the condition holds. The first failure of a run is the one that is reported.
  public func expect(
    _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String = "an expectation",
    file: String = #fileID, line: Int = #line
  ) {
    if !condition() { core.fail(.expectation(message(), at: "\(file):\(line)")) }
  }

  /// Fails the run unless both are equal; the report shows them.
  public func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ message: @autoclosure () -> String = "",
    file: String = #fileID, line: Int = #line
  ) {
    guard actual != expected else { return }
    let text = "\(message()) expected \(expected), got \(actual)".drop { $0 == " " }
    core.fail(.expectation(String(text), at: "\(file):\(line)"))
  }

  /// Fails the run.
  public func fail(_ message: String, file: String = #fileID, line: Int = #line) {
    core.fail(.expectation(message, at: "\(file):\(line)"))
  }
}
