#if canImport(Testing)
  public import Testing

  /// Runs a test once for each seed, each time in a new simulated world. The test needs no other
  /// change.
  ///
  /// ```swift
  /// @Test(.simulated(seeds: 1...2_000))
  /// func lastQueryWins() async throws { … }
  /// ```
  ///
  /// The test function is the body of
  /// ``simulate(seeds:strategy:queues:interruptions:timerTolerance:stepLimit:threads:_:)``.
  /// ``SimulatedWorld/current`` is the world of the run. The suite is created again for each run.
  /// Each argument of a parameterized test has its own simulation. A time limit applies to all runs
  /// together.
  ///
  /// If a run fails while the test function is suspended, as in a deadlock, the function never
  /// returns. On Apple platforms, or if a thread outside the world could resume the function, the
  /// failure is recorded and then the process ends. Call `simulate` in such tests.
  public struct SimulationTrait: TestTrait, TestScoping {
    let seeds: ClosedRange<UInt64>
    let strategy: SimulationStrategy
    let queues: QueueScheduling
    let interruptions: Interruptions
    let timerTolerance: Duration
    let stepLimit: Int
    let threads: Int

    /// Runs a test for each seed.
    ///
    /// - Throws: ``SimulationFailure``, which fails the test.
    @concurrent
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      try await withoutActuallyEscaping(function) { function in
        do throws(SimulationFailure) {
          try await simulate(
            seeds: seeds, strategy: strategy, queues: queues, interruptions: interruptions,
            timerTolerance: timerTolerance,
            stepLimit: stepLimit, threads: threads
          ) { _ in
            try await function()
          }
        } catch {
          // Swift ends the process at the end of this scope if the function is still suspended. If
          // this cannot be changed, or if the function could continue, the failure is reported
          // before.
          switch error.body {
          case .ended: break
          case .suspended where EscapeCheck.allowNext(): break
          case .suspended, .uncontrolled: Issue.record(error)
          }
          throw error
        }
      }
    }
  }

  extension Trait where Self == SimulationTrait {
    /// Runs the test for each seed in a simulated world.
    ///
    /// The parameters are those of
    /// ``simulate(seeds:strategy:queues:interruptions:timerTolerance:stepLimit:threads:_:)``. With
    /// several `threads`, the test function runs several times at once.
    ///
    /// - Precondition: The seeds and `timerTolerance` are not negative, and `stepLimit` and
    ///   `threads` are positive.
    public static func simulated(
      seeds: ClosedRange<Int> = 1...1_000, strategy: SimulationStrategy = .mixed,
      queues: QueueScheduling = .real, interruptions: Interruptions = .atSuspensions,
      timerTolerance: Duration = .zero, stepLimit: Int = 10_000, threads: Int = 1
    ) -> SimulationTrait {
      precondition(
        seeds.lowerBound >= 0, "simulated(seeds:): a seed must not be negative, but is \(seeds.lowerBound)")
      let seeds = UInt64(seeds.lowerBound)...UInt64(seeds.upperBound)
      return SimulationTrait(
        seeds: seeds, strategy: strategy, queues: queues, interruptions: interruptions,
        timerTolerance: timerTolerance, stepLimit: stepLimit, threads: threads)
    }
  }
#endif
