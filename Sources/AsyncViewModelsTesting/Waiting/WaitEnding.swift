#if canImport(Testing)
  import Foundation
  import Synchronization
  public import Testing

  /// Ends a test that waits for something that does not happen, and says what it waited for.
  ///
  /// ```swift
  /// @Suite("Cart", .timeLimit(.minutes(5)), .endsWaits)
  /// struct CartTests { … }
  /// ```
  ///
  /// A gate that stays closed, a call without a response or a clock that does not advance can make
  /// a broken test hang. With this trait, such waits end, and the test fails:
  ///
  /// - when the test is cancelled, for example at its time limit, or
  /// - when the process has used almost no processor time for 20 seconds while the test waits.
  ///
  /// | wait | how it ends |
  /// | --- | --- |
  /// | ``Gate`` | returns; ``Gate/waitUnlessCancelled()`` throws `CancellationError` |
  /// | ``ScriptedCalls`` | a call without a response fails with `CancellationError` |
  /// | ``VirtualClock`` | a sleep throws `CancellationError`; a scheduled block runs; a later block does not |
  /// | ``StateRecorder`` | throws `CancellationError` |
  ///
  /// The trait ends the waits of objects that the test function, or a task that inherits its
  /// task-local values, has made or waits for. What only detached tasks or dispatch queues use is
  /// not included.
  public struct WaitEnding: SuiteTrait, TestTrait, TestScoping {
    /// Applies to each test of a suite.
    public var isRecursive: Bool { true }

    /// The number of ticks without work of the process after which the waits end.
    let limit: Int
    let tick: Duration

    /// The seconds of processor time that the process has used.
    let processorTime: @Sendable () -> Double

    init(limit: Int, tick: Duration, processorTime: @escaping @Sendable () -> Double) {
      self.limit = limit
      self.tick = tick
      self.processorTime = processorTime
    }

    /// Runs a test, and ends its waits if the test is cancelled or the process is idle.
    @concurrent
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      let ended = Mutex<[String]>([])
      let waits = TestWaits()
      // Reads the waits before their tasks are cancelled, because a cancelled wait is over.
      let end: @Sendable () -> Void = {
        let lines = waits.waits
        ended.withLock { $0 += lines }
        waits.end()
      }
      let result = await withoutActuallyEscaping(function) { function in
        let body = TestWaits.$current.withValue(waits) { Task { try await function() } }
        let watch = Task { if await isIdle(unless: { waits.waits.isEmpty }) { end() } }
        defer { watch.cancel() }
        return await withTaskCancellationHandler {
          await body.result
        } onCancel: {
          end()
          body.cancel()
        }
      }
      let lines = ended.withLock { $0 }
      if !lines.isEmpty {
        Issue.record("The test was ended while it waited for: \(lines.joined(separator: "; "))")
      }
      try result.get()
    }

    /// Returns `true` when the process was idle for `limit` ticks in a row while `isFree` returned
    /// `false`: it used less than 2 % of a core. Returns `false` if the task is cancelled.
    private func isIdle(unless isFree: @Sendable () -> Bool) async -> Bool {
      var idleTicks = 0
      var before = processorTime()
      while idleTicks < limit {
        guard (try? await Task.sleep(for: tick)) != nil else { return false }
        let now = processorTime()
        let isIdle = now - before < 0.02 * (tick / .seconds(1)) && !isFree()
        idleTicks = isIdle ? idleTicks + 1 : 0
        before = now
      }
      return true
    }
  }

  extension Trait where Self == WaitEnding {
    /// Ends a test that waits for something that does not happen. See ``WaitEnding``.
    public static var endsWaits: Self {
      Self(limit: 20, tick: .seconds(1)) { Double(clock()) / Double(CLOCKS_PER_SEC) }
    }
  }
#endif
