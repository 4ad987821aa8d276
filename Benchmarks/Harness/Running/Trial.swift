import AsyncViewModelsCommandLine

/// The measurements of one variant so far, while the variants of its group take turns.
struct Trial: Sendable {
  let benchmark: Benchmark
  /// The number of iterations of a sample.
  private(set) var iterations = 1
  private(set) var samples: [Sample] = []
  private(set) var footprint = Footprint()
  /// Allocations per operation. `nil` if the platform cannot count them.
  private(set) var allocations: Double?
  /// The bytes of these allocations per operation.
  private(set) var allocatedBytes: Double?
  private(set) var failure: (any Error)?

  init(_ benchmark: Benchmark) {
    self.benchmark = benchmark
  }

  /// Warms the work up, finds the size of its samples, and counts its allocations. A timed benchmark needs none of this.
  mutating func calibrate(target: Duration, until deadline: ContinuousClock.Instant) async {
    guard case .repeated(let setUp) = benchmark.work else { return }
    await visit(setUp) { trial, workload, meter in
      try await trial.fit(workload, to: target, until: deadline, meter: &meter)
    }
  }

  /// Takes at least one sample. The set-up and the samples together take about `slice`.
  ///
  /// The first batch after a set-up runs cold and is dropped, unless it fills the slice. If this batch takes far less than
  /// `target`, the machine was slower during the calibration, which then chose too few iterations. So the
  /// trial calibrates again: a batch that is too short would mostly measure its own beginning and end.
  mutating func sample(for slice: Duration, target: Duration, stop: StopSignal) async {
    let deadline = ContinuousClock.now + slice
    switch benchmark.work {
    case .repeated(let setUp):
      await sample(setUp, until: deadline, slice: slice, target: target, stop: stop)
    case .timed(let sample):
      guard failure == nil else { return }
      do { samples.append(try await sample(slice)) } catch { failure = error }
    }
  }

  private mutating func sample(
    _ setUp: SetUp, until deadline: ContinuousClock.Instant, slice: Duration, target: Duration,
    stop: StopSignal
  ) async {
    await visit(setUp) { trial, workload, meter in
      let first = try await Sample.taken(of: workload, iterations: trial.iterations)
      if first.elapsed >= slice { return trial.samples.append(first) }
      if first.elapsed * 2 < target {
        try await trial.fit(workload, to: target, until: ContinuousClock.now + slice / 2, meter: &meter)
      }
      repeat {
        trial.samples.append(try await Sample.taken(of: workload, iterations: trial.iterations))
        meter.look()
      } while ContinuousClock.now < deadline && !stop.isRaised
    }
  }

  /// Enlarges the samples until they take about `target`.
  ///
  /// Counting allocations slows these batches down, which does no harm, because the trial drops them. The last batch is the
  /// largest and the warmest, and decides the number of allocations.
  ///
  /// A batch that the system delayed would seem long enough, so several batches in a row have to be long enough.
  private mutating func fit(
    _ workload: Workload, to target: Duration, until deadline: ContinuousClock.Instant,
    meter: inout ResourceMeter
  ) async throws {
    var longEnough = 0
    while longEnough < Calibration.confirmations {
      let (sample, allocations) = try await AllocationMeter.count {
        try await Sample.taken(of: workload, iterations: iterations)
      }
      if AllocationMeter.isAvailable {
        self.allocations = Double(allocations.count) / Double(sample.operations)
        allocatedBytes = Double(allocations.bytes) / Double(sample.operations)
      }
      meter.look()
      guard ContinuousClock.now < deadline else { return }
      if let next = try Calibration.iterations(after: iterations, took: sample.elapsed, target: target) {
        iterations = next
        longEnough = 0
      } else {
        longEnough += 1
      }
    }
  }

  private typealias SetUp = @Sendable () async throws -> Workload

  /// Sets the work up, runs `body` on it, and tears it down. Does nothing after a failure.
  private mutating func visit(
    _ setUp: SetUp, _ body: (inout Trial, Workload, inout ResourceMeter) async throws -> Void
  ) async {
    guard failure == nil else { return }
    var meter = ResourceMeter()
    do {
      let workload = try await setUp()
      let outcome: Result<Void, any Error>
      do { outcome = .success(try await body(&self, workload, &meter)) } catch { outcome = .failure(error) }
      footprint.formMaximum(meter.footprint())
      try await workload.tearDown()
      try outcome.get()
    } catch {
      failure = error
    }
  }
}
