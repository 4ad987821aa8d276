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

  /// Warms the work up, finds the size of its samples, and counts allocations: these batches are not kept, so that it does not
  /// matter if counting slows them down. The last one says how many there are, for it is the largest and the warmest.
  mutating func calibrate(target: Duration, until deadline: ContinuousClock.Instant) async {
    await visit { trial, workload, meter in
      while true {
        let (sample, allocations) = try await AllocationMeter.count {
          try await Sample.taken(of: workload, iterations: trial.iterations)
        }
        if AllocationMeter.isAvailable { trial.allocations = Double(allocations) / Double(sample.operations) }
        meter.look()
        guard
          let next = Calibration.iterations(
            after: trial.iterations, took: sample.elapsed, target: target),
          ContinuousClock.now < deadline
        else { return }
        trial.iterations = next
      }
    }
  }

  /// Takes samples for as long as `slice`, set-up included, one at the least. The first batch after a set-up runs cold and is not kept, unless
  /// a batch takes so long that its cold start is lost in it.
  mutating func sample(for slice: Duration, stop: StopSignal) async {
    let deadline = ContinuousClock.now + slice
    await visit { trial, workload, meter in
      let first = try await Sample.taken(of: workload, iterations: trial.iterations)
      if first.elapsed >= slice { return trial.samples.append(first) }
      repeat {
        trial.samples.append(try await Sample.taken(of: workload, iterations: trial.iterations))
        meter.look()
      } while ContinuousClock.now < deadline && !stop.isRaised
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
