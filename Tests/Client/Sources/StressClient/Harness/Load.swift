import Foundation

/// The load that a program creates.
struct Load: Sendable {
  let tasksPerCore: Int

  /// The number of tasks that a program runs at the same time.
  var tasks: Int { tasksPerCore * ProcessInfo.processInfo.activeProcessorCount }

  /// Runs `body` in ``tasks`` tasks at the same time and waits for all of them.
  func inParallel(_ body: @escaping @Sendable (_ task: Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup { group in
      for task in 0..<tasks { group.addTask { try await body(task) } }
      try await group.waitForAll()
    }
  }
}

/// Yields until `condition` is true. If the condition never becomes true, the program exceeds its time limit.
func until(isolation: isolated (any Actor)? = #isolation, _ condition: () async -> Bool) async {
  while await !condition() { await Task.yield() }
}

/// Yields until a condition that needs the main actor is true.
@MainActor
func untilOnMain(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}
