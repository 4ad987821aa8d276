/// One part of the package under stress, in a process of its own.
struct StressProgram: Sendable {
  let name: String
  /// What it calls, and what has to hold.
  let summary: String
  let run: @Sendable (Load) async throws -> Void

  static let all: [StressProgram] =
    observation + tasks + closures + bridges + timing + parallel + isolation + diagnostics + viewModels
}
