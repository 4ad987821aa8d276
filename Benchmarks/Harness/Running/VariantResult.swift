/// The results of one variant.
struct VariantResult: Codable, Equatable, Sendable {
  let variant: String
  /// The iterations and the operations of the last sample.
  let iterationsPerSample: Int
  let operationsPerSample: Int
  /// Nanoseconds per operation. If a sample has several operations, the percentiles are those of the samples' means.
  let time: Statistics
  /// CPU time per operation in nanoseconds, of all threads together.
  let cpu: Double
  /// The memory at the peak, in bytes above the memory before the set-up. `nil` if the platform does not
  /// tell.
  let memory: Int?
  /// The number of threads that ran. `nil` if the platform does not tell.
  let threads: Int?
  /// Allocations per operation. `nil` if the platform cannot count them.
  var allocations: Double? = nil
  /// Allocated bytes per operation, whether they were freed or not.
  var allocatedBytes: Double? = nil
  /// How often a thread left its core, per operation. `nil` if the platform does not tell.
  var contextSwitches: Double? = nil
  var isFloor = false
  /// What the work itself counted, in the order of the workload's metrics.
  var metrics: [MetricResult] = []

  /// The median of the metric with this name.
  func metric(_ name: String) -> Double? { statistics(of: name)?.median }

  /// All values of the metric with this name.
  func statistics(of name: String) -> Statistics? {
    metrics.first { $0.name == name }?.statistics
  }

  /// Whether the median cannot be trusted: the samples are too few, lie too far apart, or form two clusters. Two clusters
  /// form if something else takes the cores for a while.
  var isUnsteady: Bool {
    time.spread > Self.spreadLimit || time.p90 > time.median * Self.tailLimit
      || time.count < Self.fewestSamples
  }

  /// The mark of an unsteady number, which reads as "about".
  var mark: String { isUnsteady ? "~ " : "" }

  static let spreadLimit = 0.15
  static let tailLimit = 2.0
  static let fewestSamples = 5
}

extension VariantResult {
  /// Summarizes a trial. Returns `nil` if the trial has no samples.
  init?(_ trial: Trial) {
    guard let last = trial.samples.last else { return nil }
    let operations = trial.samples.map(\.operations).reduce(0, +)
    let cpu = trial.samples.map(\.cpu.nanoseconds).reduce(0, +)
    let switches = trial.samples.compactMap(\.contextSwitches)
    self.init(
      variant: trial.benchmark.variant, iterationsPerSample: trial.iterations,
      operationsPerSample: last.operations,
      time: Statistics(trial.samples.map(\.nanosecondsPerOperation)), cpu: cpu / Double(operations),
      memory: trial.footprint.memory, threads: trial.footprint.threads,
      allocations: trial.allocations, allocatedBytes: trial.allocatedBytes,
      contextSwitches: switches.isEmpty ? nil : Double(switches.reduce(0, +)) / Double(operations),
      isFloor: trial.benchmark.isFloor, metrics: MetricResult.results(of: trial.samples))
  }
}

/// A ``Metric`` over all samples of a variant.
struct MetricResult: Codable, Equatable, Sendable {
  let name: String
  let unit: String
  let statistics: Statistics

  /// One result for each name, in the order in which the names first occur.
  static func results(of samples: [Sample]) -> [MetricResult] {
    let metrics = samples.flatMap(\.metrics)
    let byName = Dictionary(grouping: metrics, by: \.name)
    return metrics.map(\.name).uniqued().map { name in
      let values = byName[name, default: []]
      return MetricResult(name: name, unit: values[0].unit, statistics: Statistics(values.map(\.value)))
    }
  }
}

extension Sequence where Element: Hashable {
  /// The elements without repetitions, in the order in which they first occur.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
