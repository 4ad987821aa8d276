/// One measured batch.
struct Sample: Equatable, Sendable {
  let operations: Int
  let elapsed: Duration
  /// Time that all threads of this process together spent on a core.
  let cpu: Duration
  /// How often the system took a thread of this process off its core, because it waited or because it was another's turn.
  let contextSwitches: Int?
  var figures: [Metric] = []

  /// Runs one batch of `workload` and measures it.
  /// - Throws: what the work throws.
  static func taken(of workload: Workload, iterations: Int) async throws -> Sample {
    let clock = ContinuousClock()
    let switchesBefore = ContextSwitches.process
    let cpuBefore = CPUClock.process
    let start = clock.now
    let operations = try await workload.run(iterations)
    let elapsed = start.duration(to: clock.now)
    let cpu = CPUClock.process - cpuBefore
    precondition(operations > 0, "a batch of \(iterations) iterations did \(operations) operations")
    let switches = ContextSwitches.process.flatMap { after in switchesBefore.map { after - $0 } }
    return Sample(
      operations: operations, elapsed: elapsed, cpu: cpu, contextSwitches: switches,
      figures: try await workload.figures())
  }

  var nanosecondsPerOperation: Double { elapsed.nanoseconds / Double(operations) }
}

extension Duration {
  var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) * 1e-9
  }
}
