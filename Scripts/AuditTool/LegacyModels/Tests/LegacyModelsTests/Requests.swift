import AsyncViewModelsSimulation
import SimulatedQueues

/// The requests of a view model, which a test answers. One thread at a time runs the code of a world, so it needs no lock.
final class Requests<Input, Answer> {
  private(set) var inputs: [Input] = []
  private var completions: [(Answer) -> Void] = []

  func add(_ input: Input, _ completion: @escaping (Answer) -> Void) {
    inputs.append(input)
    completions.append(completion)
  }

  func answer(_ index: Int, _ answer: Answer) { completions[index](answer) }
}

struct ServiceError: Error {}

/// Runs a test in 100 orders of its queues, on virtual time.
func inAnyOrder(_ body: @escaping @Sendable (SimulatedWorld) async throws -> Void) async throws {
  try await simulate(seeds: 1...100, queues: .simulated, body)
}

extension SimulatedWorld {
  /// Runs what a screen does on the main actor, and then all blocks that are due now.
  func onMain(_ body: @MainActor @Sendable () -> Void) async {
    await MainActor.run(body: body)
    await settle(movingTime: false)
  }

  /// Runs what a service does on a thread of its own, and then all blocks that are due now.
  func onService(_ body: () -> Void) async {
    body()
    await settle(movingTime: false)
  }

  /// Lets time pass.
  func pass(_ duration: Duration) async throws {
    try await clock.sleep(for: duration)
    await settle(movingTime: false)
  }
}
