/// What was measured of one variant.
struct VariantResult: Codable, Equatable, Sendable {
  let variant: String
  /// How many iterations were one sample in the end, and how many operations that were.
  let iterationsPerSample: Int
  let operationsPerSample: Int
  /// Nanoseconds per operation. Where a sample is one operation, the percentiles are those of operations; where it is
  /// a batch of them, those of the batches' means.
  let time: Statistics
  /// Nanoseconds on a core per operation, of all threads together.
  let cpu: Double
  /// Bytes at the peak, above those at the beginning. `nil` where the platform does not tell.
  let memory: Int?
  /// How many threads ran. `nil` where the platform does not tell.
  let threads: Int?
  /// How often memory was asked for, per operation. `nil` where the platform gives no means to count.
  var allocations: Double? = nil
  /// How often a thread was taken off its core, per operation. `nil` where the platform does not tell.
  var contextSwitches: Double? = nil
  var isFloor = false
  /// What the work itself counted, in its order.
  var figures: [MetricResult] = []

  /// The median of the figure with this name.
  func figure(_ name: String) -> Double? {
    figures.first { $0.name == name }?.statistics.median
  }

  /// Whether the median is not to be trusted: the samples lie too far apart, or in two places (as they do where something
  /// else takes the cores for a while), or there are too few of them.
  var isUnsteady: Bool {
    time.spread > Self.spreadLimit || time.p90 > time.median * Self.tailLimit
      || time.count < Self.fewestSamples
  }

  static let spreadLimit = 0.15
  static let tailLimit = 2.0
  static let fewestSamples = 5
}

extension VariantResult {
  /// `nil` where no sample was taken.
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
      allocations: trial.allocations,
      contextSwitches: switches.isEmpty ? nil : Double(switches.reduce(0, +)) / Double(operations),
      isFloor: trial.benchmark.isFloor, figures: MetricResult.results(of: trial.samples))
  }
}
