/// A summary of samples, in the unit of the samples.
struct Statistics: Codable, Equatable, Sendable {
  let count: Int
  let minimum: Double
  let median: Double
  let p90: Double
  let p99: Double
  /// The median distance from the median, as a fraction of the median: 0.1 says that half of the samples lie within
  /// 10 % of the median. A few outliers do not change the spread.
  let spread: Double
  /// 21 values, below which 0 %, 5 %, … 100 % of the samples lie.
  let quantiles: [Double]

  /// - Precondition: `samples` is not empty.
  init(_ samples: [Double]) {
    precondition(!samples.isEmpty, "statistics of no samples")
    let sorted = samples.sorted()
    let median = Self.percentile(0.5, of: sorted)
    let distances = sorted.map { abs($0 - median) }.sorted()
    count = sorted.count
    minimum = sorted[0]
    self.median = median
    p90 = Self.percentile(0.9, of: sorted)
    p99 = Self.percentile(0.99, of: sorted)
    spread = median == 0 ? 0 : Self.percentile(0.5, of: distances) / median
    quantiles = (0...20).map { Self.percentile(Double($0) / 20, of: sorted) }
  }

  /// The value below which `fraction` of the ascending `sorted` lies, interpolated between its two neighbors.
  private static func percentile(_ fraction: Double, of sorted: [Double]) -> Double {
    let position = fraction * Double(sorted.count - 1)
    let lower = Int(position)
    let upper = min(lower + 1, sorted.count - 1)
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (position - Double(lower))
  }
}
