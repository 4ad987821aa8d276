/// What goes wrong in a world, as its seed decides. A failing run is reduced towards what goes right.
public struct SimulatedWorldFaults: Sendable {
  let world: SimulatedWorld

  /// Waits for nothing, for a turn of the others, or for a time up to `longest`.
  ///
  /// - Throws: `CancellationError`, at once, when the task is cancelled.
  public func latency(upTo longest: Duration = .seconds(1)) async throws {
    switch world.core.choose(4, quietly: true) {
    case 0: try Task.checkCancellation()
    case 1:
      world.log("waits for a turn")
      await Task.yield()
    case 2: try await sleep(for: longest / 2)
    default: try await sleep(for: longest)
    }
  }

  private func sleep(for duration: Duration) async throws {
    world.log("waits for \(duration)")
    try await world.clock.sleep(for: duration)
  }

  /// Waits as ``latency(upTo:)`` does, and takes no notice of cancellation, as some services do.
  public func deafLatency(upTo longest: Duration = .seconds(1)) async {
    let wait = Task.detached { [self] in try? await latency(upTo: longest) }
    await wait.value
  }

  /// Throws `error`, or not.
  public func failure<Failure: Error>(_ error: @autoclosure () -> Failure) throws(Failure) {
    guard world.core.choose(2, quietly: true) == 1 else { return }
    let error = error()
    world.log("fails with \(error)")
    throw error
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
    let count = [1, 2, 0][world.core.choose(3, quietly: true)]
    if count != 1 { world.log(count == 0 ? "is never called back" : "is called back twice") }
    for turn in 0..<count {
      world.spawn("callback \(turn + 1)") { body() }
    }
  }
}
