import Foundation

/// How much of everything a program does.
struct Load: Sendable {
  let tasksPerCore: Int

  /// How many tasks a program runs at the same time.
  var tasks: Int { tasksPerCore * ProcessInfo.processInfo.activeProcessorCount }

  /// Runs `body` in ``tasks`` tasks at the same time, and waits for all of them.
  func inParallel(_ body: @escaping @Sendable (_ task: Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup { group in
      for task in 0..<tasks { group.addTask { try await body(task) } }
      try await group.waitForAll()
    }
  }
}

/// Gives up the thread until `condition` holds. A program whose condition never holds runs into its time limit.
func until(isolation: isolated (any Actor)? = #isolation, _ condition: () async -> Bool) async {
  while await !condition() { await Task.yield() }
}

/// As ``until(_:)``, for what only the main actor may ask.
@MainActor
func untilOnMain(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}
