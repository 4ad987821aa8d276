import AsyncViewModelsSimulation

extension SimulatedWorld {
  /// Runs a body in several tasks and waits for them. The tasks have the numbers 1, 2 and so on.
  func inParallel(
    _ count: Int = 2, _ body: @escaping @Sendable (_ number: Int) async throws -> Void
  ) async {
    let tasks = (1...count).map { number in spawn("task \(number)") { try await body(number) } }
    for task in tasks { await task.waitForEnd() }
  }
}
