import AsyncViewModels
package import Testing

/// The permits for tests that use sockets. At most 16 such tests run at the same time.
///
/// The file descriptors of a process are limited, often to 1,024. Also, `Process` on Linux reads beyond the end of a buffer, and
/// can crash, if the process has more than about 1,300 of them.
package enum SocketPermits {
  private static let permits: EventChannel<Void> = {
    let permits = EventChannel<Void>()
    for _ in 1...16 { permits.keepForFirstObserver(()) }
    return permits
  }()

  /// Whether the current task holds a permit. If it waited for a second one, all tests could wait for each other.
  @TaskLocal private static var isHeld = false

  /// Waits for a permit, and runs `body` while it holds the permit.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits, or the error of `body`.
  package static func withPermit<Result>(_ body: () async throws -> Result) async throws -> Result {
    if isHeld { return try await body() }
    for await _ in permits.events() {
      defer { permits.keepForFirstObserver(()) }
      return try await $isHeld.withValue(true) { try await body() }
    }
    throw CancellationError()
  }
}

/// Gives each test of a suite a permit while the test runs: see ``SocketPermits``.
package struct SocketTrait: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await SocketPermits.withPermit(function)
  }
}

extension Trait where Self == SocketTrait {
  /// Limits how many tests of all suites with this trait run at the same time, because they use sockets, files or processes.
  package static var usesSockets: Self { SocketTrait() }
}
