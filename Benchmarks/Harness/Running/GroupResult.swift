/// The results of one group.
struct GroupResult: Codable, Equatable, Sendable {
  let section: String
  let title: String
  let unit: String
  let reference: String
  var point: CurvePoint? = nil
  /// Whether the summary shows this group for its section; `nil` in reports of versions without a summary.
  var isHeadline: Bool? = nil
  /// The results of the variants, in the order of the group.
  var measurements: [VariantResult]
  var failures: [Failure]

  /// A variant that could not be measured.
  struct Failure: Codable, Equatable, Sendable {
    let variant: String
    let message: String
  }

  /// The name of a variant in `--filter` and targets.
  func name(of measurement: VariantResult) -> String {
    "\(section) / \(title) / \(measurement.variant)"
  }

  /// The time of a variant as a multiple of the reference's; `nil` if the reference was not measured.
  func ratio(of measurement: VariantResult) -> Double? {
    guard let reference = measurements.first(where: { $0.variant == reference }), reference.time.median > 0
    else { return nil }
    return measurement.time.median / reference.time.median
  }
}

extension GroupResult {
  init(_ group: BenchmarkGroup, trials: [Trial]) {
    self.init(
      section: group.section, title: group.title, unit: group.unit, reference: group.reference,
      point: group.point, isHeadline: group.isHeadline,
      measurements: trials.compactMap { $0.failure == nil ? VariantResult($0) : nil },
      failures: trials.compactMap { trial in
        trial.failure.map { Failure(variant: trial.benchmark.variant, message: "\($0)") }
      })
  }
}
