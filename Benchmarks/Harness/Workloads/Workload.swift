/// A piece of work that is set up and can be repeated.
public struct Workload: Sendable {
  /// Repeats the work and returns the number of operations: a burst of 1,000 values to 10 observers is one
  /// iteration and 10,000 operations.
  let run: @Sendable (_ iterations: Int) async throws -> Int

  /// What the work counted in its last batch, besides time. Called after each batch, outside the measured time.
  let metrics: @Sendable () async throws -> [Metric]

  /// Undoes the set-up. Not measured.
  let tearDown: @Sendable () async throws -> Void

  /// Creates a workload from its measured part and its teardown.
  public init(
    run: @escaping @Sendable (_ iterations: Int) async throws -> Int,
    tearDown: @escaping @Sendable () async throws -> Void
  ) {
    self.init(run: run, metrics: { [] }, tearDown: tearDown)
  }

  /// Creates a workload that needs no teardown.
  package init(_ run: @escaping @Sendable (_ iterations: Int) async throws -> Int) {
    self.init(run: run, tearDown: {})
  }

  package init(
    run: @escaping @Sendable (_ iterations: Int) async throws -> Int,
    metrics: @escaping @Sendable () async throws -> [Metric],
    tearDown: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.run = run
    self.metrics = metrics
    self.tearDown = tearDown
  }
}

/// A number besides time that a workload reports for its last batch, such as service calls or bytes per observer.
package struct Metric: Equatable, Sendable {
  /// What is counted, in the plural: "service calls". If a batch measures something several times, such as the latency of each
  /// tap, it has several metrics of the same name, and the report has the statistics of all of them.
  let name: String
  /// "" for a plain number, "×" for a ratio, "bytes".
  let unit: String
  let value: Double

  package init(_ name: String, unit: String = "", _ value: Double) {
    self.name = name
    self.unit = unit
    self.value = value
  }
}
