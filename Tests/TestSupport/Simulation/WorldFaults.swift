/// What goes wrong in a world, as its seed decides. A failing run is reduced towards what goes right.
public struct WorldFaults: Sendable {
  let world: World

  /// Waits for nothing, for a turn of the others, or for a time up to `longest`.
  ///
  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  public func latency(upTo longest: Duration = .seconds(1)) async throws {
    switch world.choose(4) {
    case 0: try Task.checkCancellation()
    case 1: await Task.yield()
    case 2: try await world.clock.sleep(for: longest / 2)
    default: try await world.clock.sleep(for: longest)
    }
  }

  /// Waits as ``latency(upTo:)`` does, and takes no notice of cancellation, as some services do.
  public func deafLatency(upTo longest: Duration = .seconds(1)) async {
    let wait = Task.detached { [self] in try? await latency(upTo: longest) }
    await wait.value
  }

  /// Throws `error`, or not.
  public func failure<Failure: Error>(_ error: @autoclosure () -> Failure) throws(Failure) {
    if world.flip() { throw error() }
  }

  /// Cancels a task at some moment: before it begins, at any of its suspensions, or after its end.
  @discardableResult
  public func cancellation(of task: SimulatedTask, upTo longest: Duration = .zero) -> SimulatedTask {
    world.spawn("cancel \(task.name)", canBeLeftOut: true) { [self] in
      if longest > .zero { try await latency(upTo: longest) }
      world.log("cancels \(task.name)")
      task.cancel()
    }
  }

  /// Calls a completion handler once, twice or never, each time in a turn of its own.
  public func callback(_ body: @escaping @Sendable () -> Void) {
    for turn in 0..<[1, 2, 0][world.choose(3)] {
      world.spawn("callback \(turn + 1)") { body() }
    }
  }
}
