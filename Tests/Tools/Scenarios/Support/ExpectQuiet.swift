import AsyncViewModelsSimulation

extension SimulatedWorld {
  /// Checks that a cancelled view model publishes nothing more: a new observer sees the current state and no other.
  /// Returns when the world has settled.
  ///
  /// - Parameter states: A new stream of states. In the closure stage, the stream's binding replaces the
  ///   earlier binding.
  func expectQuiet<State: Sendable>(
    _ states: AsyncStream<State>, file: String = #fileID, line: Int = #line
  ) async {
    let seen = EventLog<Void>()
    let observer = spawn("late observer") { for await _ in states { seen.begin() } }
    await settle()
    expectEqual(seen.begun, 1, "states after a cancel:", file: file, line: line)
    observer.cancel()
  }
}
