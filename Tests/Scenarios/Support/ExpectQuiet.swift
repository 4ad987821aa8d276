import AsyncViewModelsSimulation

extension SimulatedWorld {
  /// Checks that a view model that was called off publishes nothing any more: whoever looks from now on sees what is there, and
  /// nothing after it. Returns when the world has come to rest.
  ///
  /// - Parameter states: handed out just now. In the closure stage that takes them away from whoever had them.
  func expectQuiet<State: Sendable>(
    _ states: AsyncStream<State>, file: String = #fileID, line: Int = #line
  ) async {
    let seen = EventLog<Void>()
    let observer = spawn("late observer") { for await _ in states { seen.begin() } }
    await settle()
    expectEqual(seen.begun, 1, "states that are seen after a cancel:", file: file, line: line)
    observer.cancel()
  }
}
