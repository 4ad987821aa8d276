/// One measured batch.
package struct Sample: Equatable, Sendable {
  let operations: Int
  /// What the report calls the time: the wall-clock time or, for a timed benchmark, what that benchmark declares.
  let elapsed: Duration
  /// The CPU time of all threads of the measured process together.
  let cpu: Duration
  /// How often the system took a thread of this process off its core. `nil` if the system does not tell.
  let contextSwitches: Int?
  let metrics: [Metric]

  /// Creates the sample of a timed benchmark: what it took for one operation, such as a second of frames.
  package init(time: Duration, cpu: Duration, metrics: [Metric]) {
    self.init(operations: 1, elapsed: time, cpu: cpu, contextSwitches: nil, metrics: metrics)
  }

  init(
    operations: Int, elapsed: Duration, cpu: Duration, contextSwitches: Int?, metrics: [Metric]
  ) {
    self.operations = operations
    self.elapsed = elapsed
    self.cpu = cpu
    self.contextSwitches = contextSwitches
    self.metrics = metrics
  }

  /// Runs one batch of `workload` and measures it.
  ///
  /// - Throws: What the work throws.
  static func taken(of workload: Workload, iterations: Int) async throws -> Sample {
    let clock = ContinuousClock()
    let switchesBefore = ProcessUsage.contextSwitches
    let cpuBefore = ProcessUsage.cpuTime
    let start = clock.now
    let operations = try await workload.run(iterations)
    let elapsed = start.duration(to: clock.now)
    let cpu = ProcessUsage.cpuTime - cpuBefore
    precondition(operations > 0, "a batch of \(iterations) iterations did \(operations) operations")
    let switches = ProcessUsage.contextSwitches.flatMap { after in switchesBefore.map { after - $0 } }
    return Sample(
      operations: operations, elapsed: elapsed, cpu: cpu, contextSwitches: switches,
      metrics: try await workload.metrics())
  }

  var nanosecondsPerOperation: Double { elapsed.nanoseconds / Double(operations) }
}

extension Duration {
  package var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) * 1e-9
  }
}
