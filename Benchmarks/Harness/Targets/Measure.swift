/// Computes, from a report, the number that a ``Target`` limits.
///
/// The functions take the full names of variants: "section / title / variant".
public struct Measure: Sendable {
  package let requirements: [Requirement]
  /// "×", "ms", "bytes", or "" for a plain number.
  let unit: String
  private let compute: @Sendable (Report) -> Double?
  private let compare: @Sendable (Report) -> Contrast?

  /// - Parameter compute: Returns `nil` if the report lacks a requirement.
  init(
    requirements: [Requirement], unit: String, compute: @escaping @Sendable (Report) -> Double?
  ) {
    self.requirements = requirements
    self.unit = unit
    self.compute = compute
    compare = { _ in nil }
  }

  /// A ratio of two figures.
  ///
  /// - Parameter compare: Returns `nil` if the report lacks a requirement.
  private init(
    requirements: [Requirement], ratio: @escaping @Sendable (Contrast) -> Double,
    compare: @escaping @Sendable (Report) -> Contrast?
  ) {
    self.requirements = requirements
    unit = "×"
    compute = { compare($0).map(ratio) }
    self.compare = compare
  }

  func callAsFunction(_ report: Report) -> Double? { compute(report) }

  /// The two figures of which the number is the ratio; `nil` if it is no ratio of two figures.
  func contrast(in report: Report) -> Contrast? { compare(report) }

  /// The time of `name` as a multiple of the time of `floor`.
  package static func time(of name: String, in floor: String) -> Measure {
    ratio(of: name, to: floor) { $0.time.median }
  }

  /// The time of `name` as a multiple of the time of `peer`, both without the time of `base`, which both contain; 0 if
  /// `name` takes less than `base`.
  package static func time(of name: String, in peer: String, beyond base: String) -> Measure {
    Measure(requirements: [name, peer, base].map(Requirement.variant), ratio: \.ratio) { report in
      let times = [name, peer, base].compactMap { report.variant($0)?.time.median }
      guard times.count == 3, times[1] > times[2] else { return nil }
      return Contrast(subject: max(0, times[0] - times[2]), other: times[1] - times[2], unit: "ns")
    }
  }

  /// The speed of `name` as a multiple of the speed of `peer`.
  public static func speed(of name: String, against peer: String) -> Measure {
    contrast(of: name, with: peer, unit: "ns", ratio: { $0.other / $0.subject }) { $0.time.median }
  }

  /// The CPU time of `name` as a multiple of the CPU time of `floor`.
  package static func cpu(of name: String, in floor: String) -> Measure {
    ratio(of: name, to: floor) { $0.cpu }
  }

  /// The CPU time of `name` as a multiple of its time.
  package static func cpuPerTime(of name: String) -> Measure {
    Measure(requirements: [.variant(name)], ratio: \.ratio) { report in
      report.variant(name).map { Contrast(subject: $0.cpu, other: $0.time.median, unit: "ns") }
    }
  }

  /// The allocations of `name` per operation.
  package static func allocations(of name: String) -> Measure {
    Measure(requirements: [.variant(name)], unit: "") { $0.variant(name)?.allocations }
  }

  /// The allocations of `name` as a multiple of the allocations of `floor`.
  package static func allocations(of name: String, in floor: String) -> Measure {
    ratio(of: name, to: floor, unit: "") { $0.allocations }
  }

  /// The allocated bytes of `name` as a multiple of the allocated bytes of `floor`.
  package static func allocatedBytes(of name: String, in floor: String) -> Measure {
    ratio(of: name, to: floor, unit: "bytes") { $0.allocatedBytes }
  }

  /// The allocated bytes of `name` as a multiple of the allocated bytes of `floor` and `other` together.
  package static func allocatedBytes(of name: String, in floor: String, and other: String) -> Measure {
    let names = [name, floor, other]
    return Measure(requirements: names.map(Requirement.variant), ratio: \.ratio) { report in
      let bytes = names.compactMap { report.variant($0)?.allocatedBytes }
      guard bytes.count == 3, bytes[1] + bytes[2] > 0 else { return nil }
      return Contrast(subject: bytes[0], other: bytes[1] + bytes[2], unit: "bytes")
    }
  }

  /// The resident memory of `name` at the peak, in bytes above the memory before the set-up.
  package static func memory(of name: String) -> Measure {
    Measure(requirements: [.variant(name)], unit: "bytes") { $0.variant(name)?.memory.map(Double.init) }
  }

  /// The peak memory of `name` minus the peak memory of `other`, as a multiple of `size` bytes.
  package static func memory(of name: String, beyond other: String, each size: Int) -> Measure {
    Measure(requirements: [.variant(name), .variant(other)], unit: "×") { report in
      guard let upper = report.variant(name)?.memory, let lower = report.variant(other)?.memory else {
        return nil
      }
      return Double(max(0, upper - lower)) / Double(size)
    }
  }

  /// The number of threads on which `name` ran.
  package static func threads(of name: String) -> Measure {
    Measure(requirements: [.variant(name)], unit: "") { $0.variant(name)?.threads.map(Double.init) }
  }

  /// A metric that `name` itself counts.
  package static func metric(_ metric: String, unit: String = "", of name: String) -> Measure {
    Measure(requirements: [.variant(name)], unit: unit) { $0.variant(name)?.metric(metric) }
  }

  /// The largest value of a metric that `name` counts, over all its samples.
  package static func worst(of metric: String, unit: String = "", of name: String) -> Measure {
    Measure(requirements: [.variant(name)], unit: unit) {
      $0.variant(name)?.statistics(of: metric)?.quantiles.last
    }
  }

  /// The median of a metric that `name` counts, minus the median of `other`; 0 if the difference is negative.
  package static func metric(
    _ metric: String, unit: String, of name: String, beyond other: String
  ) -> Measure {
    Measure(requirements: [.variant(name), .variant(other)], unit: unit) { report in
      guard let upper = report.variant(name)?.metric(metric),
        let lower = report.variant(other)?.metric(metric)
      else { return nil }
      return max(0, upper - lower)
    }
  }

  /// The median of a metric that `name` counts, as a multiple of the median of `floor`.
  package static func metric(
    _ metric: String, unit: String = "", of name: String, in floor: String
  ) -> Measure {
    ratio(of: name, to: floor, unit: unit) { $0.metric(metric) }
  }

  /// The 99th percentile of a metric that `name` counts, over all its samples, as a multiple of that of `floor`.
  package static func p99(
    of metric: String, unit: String, of name: String, in floor: String
  ) -> Measure {
    ratio(of: name, to: floor, unit: unit) { $0.statistics(of: metric)?.p99 }
  }

  /// The worst cost per operation of `variant` along `curve`, as a multiple of the cost at the first point.
  package static func growth(along curve: String, of variant: String) -> Measure {
    Measure(requirements: [.curve(curve, variant: variant)], unit: "×") { report in
      let costs = report.curve(curve, of: variant).map(\.cost)
      guard costs.count > 1, let first = costs.first, first > 0, let worst = costs.max() else { return nil }
      return worst / first
    }
  }

  /// The worst ratio of `variant` to `floor` along `curve`, as a multiple of the ratio at the first point.
  ///
  /// The ratio removes the growth that the machine causes, because this growth affects both variants.
  package static func growth(along curve: String, of variant: String, beyond floor: String) -> Measure {
    Measure(
      requirements: [.curve(curve, variant: variant), .curve(curve, variant: floor)], unit: "×"
    ) { report in
      let floors = Dictionary(uniqueKeysWithValues: report.curve(curve, of: floor))
      let ratios = report.curve(curve, of: variant).compactMap { point -> Double? in
        guard let floor = floors[point.x], floor > 0 else { return nil }
        return point.cost / floor
      }
      guard ratios.count > 1, let worst = ratios.max() else { return nil }
      return worst / ratios[0]
    }
  }

  private static func ratio(
    of name: String, to other: String, unit: String = "ns",
    _ figure: @escaping @Sendable (VariantResult) -> Double?
  ) -> Measure {
    contrast(of: name, with: other, unit: unit, ratio: \.ratio, figure)
  }

  private static func contrast(
    of name: String, with other: String, unit: String, ratio: @escaping @Sendable (Contrast) -> Double,
    _ figure: @escaping @Sendable (VariantResult) -> Double?
  ) -> Measure {
    Measure(requirements: [.variant(name), .variant(other)], ratio: ratio) { report in
      guard let subject = report.variant(name).flatMap(figure),
        let other = report.variant(other).flatMap(figure)
      else { return nil }
      let contrast = Contrast(subject: subject, other: other, unit: unit)
      return ratio(contrast).isFinite ? contrast : nil
    }
  }
}

/// The figure that a ``Target`` is about, and the one that it is compared with.
struct Contrast: Codable, Equatable, Sendable {
  let subject: Double
  let other: Double
  /// "ns", "ms", "bytes", or "" for plain numbers.
  let unit: String

  var ratio: Double { subject / other }
}

/// A variant that a ``Measure`` needs.
package enum Requirement: Equatable, Sendable {
  /// The variant with this full name: "section / title / variant".
  case variant(String)
  /// The variant at every point of a curve.
  case curve(String, variant: String)

  package func selects(_ benchmark: Benchmark, of group: BenchmarkGroup) -> Bool {
    switch self {
    case .variant(let name): group.name(of: benchmark) == name
    case .curve(let curve, let variant): group.point?.curve == curve && benchmark.variant == variant
    }
  }
}
