/// A program that puts one part of the toolkit under load, in its own process.
struct StressProgram: Sendable {
  let name: String
  /// What the program calls and what must hold.
  let summary: String
  let run: @Sendable (Load) async throws -> Void

  static let all: [StressProgram] =
    observation + observedStates + viewStates + tasks + completions + optimisticChanges + closures + bridges
    + notifications + timing + parallel + isolation + viewModelActors + diagnostics + listSnapshots
    + navigation + routePaths + stores + screens + screenBindings + screenValues + containments
    + environments + transitions + stacks + containers
}
