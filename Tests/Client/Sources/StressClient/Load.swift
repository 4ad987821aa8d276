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

/// Yields until `condition` is true.
func until(isolation: isolated (any Actor)? = #isolation, _ condition: () async -> Bool) async {
  while await !condition() { await Task.yield() }
}

/// A failed expectation of a program.
struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

/// - Throws: ``Unexpected`` if `condition` is false.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(Unexpected) {
  if !condition { throw Unexpected(description: message()) }
}

/// - Throws: ``Unexpected`` if the values differ.
func expectEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, _ name: @autoclosure () -> String
) throws(Unexpected) {
  try expect(value == expected, "\(name()): expected \(expected), got \(value)")
}

/// An object that runs a closure in its `deinit`, as an object of an app can.
final class DeinitAction: Sendable {
  private let onDeinit: @Sendable () -> Void

  init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }

  deinit { onDeinit() }
}

struct TestError: Error, Equatable {}
