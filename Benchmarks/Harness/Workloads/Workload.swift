/// What is measured: a piece of work that has been set up and can be repeated.
struct Workload: Sendable {
  /// Repeats the work `iterations` times and returns how many operations that were: a burst of 1,000 values to 10
  /// observers is one iteration and 10,000 operations.
  let run: @Sendable (_ iterations: Int) async throws -> Int

  /// What else there is to say about the batch that ran last. Asked after each batch, outside of the measured time.
  let figures: @Sendable () async throws -> [Metric]

  /// Ends what set-up began. Not measured.
  let tearDown: @Sendable () async throws -> Void

  /// Work that leaves nothing behind.
  init(_ run: @escaping @Sendable (_ iterations: Int) async throws -> Int) {
    self.init(run: run, tearDown: {})
  }

  init(
    run: @escaping @Sendable (_ iterations: Int) async throws -> Int,
    figures: @escaping @Sendable () async throws -> [Metric] = { [] },
    tearDown: @escaping @Sendable () async throws -> Void
  ) {
    self.run = run
    self.figures = figures
    self.tearDown = tearDown
  }
}
