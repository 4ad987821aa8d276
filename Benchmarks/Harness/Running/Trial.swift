/// What is known of one variant while its group runs.
struct Trial: Sendable {
  let benchmark: Benchmark
  /// How many iterations make one sample.
  private(set) var iterations = 1
  private(set) var samples: [Sample] = []
  private(set) var footprint = Footprint()
  /// How often memory was asked for, per operation. `nil` where that cannot be counted.
  private(set) var allocations: Double?
  private(set) var failure: (any Error)?

  init(_ benchmark: Benchmark) {
    self.benchmark = benchmark
  }

  /// Warms the work up, finds the size of its samples, and counts allocations.
  mutating func calibrate(target: Duration, until deadline: ContinuousClock.Instant) async {
    await visit { trial, workload, meter in
      try await trial.fit(workload, to: target, until: deadline, meter: &meter)
    }
  }

  /// Takes samples for as long as `slice`, set-up included, one at the least. The first batch after a set-up runs cold and is not kept, unless
  /// a batch takes so long that its cold start is lost in it. Where it takes far less than `target`, whatever slowed the work down when
  /// its size was found is over, and the size is found anew: else the beginning and the end of a batch would be measured.
  mutating func sample(for slice: Duration, target: Duration, stop: StopSignal) async {
    let deadline = ContinuousClock.now + slice
    await visit { trial, workload, meter in
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

  /// Makes the samples larger until they last about as long as `target`. None of these batches is kept, so that it does not matter if
  /// counting allocations slows them down; the last one says how many there are, for it is the largest and the warmest.
  ///
  /// One batch that the system held up for a while would look long enough. So a size stands when several in a row were.
  private mutating func fit(
    _ workload: Workload, to target: Duration, until deadline: ContinuousClock.Instant,
    meter: inout ResourceMeter
  ) async throws {
    var longEnough = 0
    while longEnough < Calibration.confirmations {
      let (sample, allocations) = try await AllocationMeter.count {
        try await Sample.taken(of: workload, iterations: iterations)
      }
      if AllocationMeter.isAvailable { self.allocations = Double(allocations) / Double(sample.operations) }
      meter.look()
      guard ContinuousClock.now < deadline else { return }
      if let next = Calibration.iterations(after: iterations, took: sample.elapsed, target: target) {
        iterations = next
        longEnough = 0
      } else {
        longEnough += 1
      }
    }
  }

  /// Sets the work up, lets `body` repeat it, and tears it down. What fails once is not tried again.
  private mutating func visit(
    _ body: (inout Trial, Workload, inout ResourceMeter) async throws -> Void
  ) async {
    guard failure == nil else { return }
    var meter = ResourceMeter()
    do {
      let workload = try await benchmark.setUp()
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
