/// How the number that a ``Target`` bounds is got from a report. Variants are named in full: "section / title / variant".
struct Measure: Sendable {
  let needs: [Requirement]
  /// What the number is measured in: "×", "bytes".
  let unit: String
  /// What the claim is about, and with what it is compared; `nil` where that is no variant.
  let subject: String?
  let yardstick: String?
  /// `nil` where what it needs was not measured.
  private let compute: @Sendable (Report) -> Double?

  init(
    needs: [Requirement], unit: String, subject: String? = nil, yardstick: String? = nil,
    compute: @escaping @Sendable (Report) -> Double?
  ) {
    self.needs = needs
    self.unit = unit
    self.subject = subject
    self.yardstick = yardstick
    self.compute = compute
  }

  func callAsFunction(_ report: Report) -> Double? { compute(report) }

  /// How long `name` takes, as a multiple of what `floor` takes.
  static func time(of name: String, in floor: String) -> Measure {
    ratio(of: name, to: floor, subject: name, yardstick: floor) { $0.time.median }
  }

  /// How many times as fast as `peer` the variant `name` is.
  static func speed(of name: String, against peer: String) -> Measure {
    ratio(of: peer, to: name, subject: name, yardstick: peer) { $0.time.median }
  }

  /// What `name` spends on a core, as a multiple of what `floor` does.
  static func cpu(of name: String, in floor: String) -> Measure {
    ratio(of: name, to: floor, subject: nil, yardstick: nil) { $0.cpu }
  }

  /// How often `name` asks for memory, per operation.
  static func allocations(of name: String) -> Measure {
    Measure(needs: [.variant(name)], unit: "") { $0.variant(name)?.allocations }
  }

  /// Bytes of resident memory that `name` took at the peak.
  static func memory(of name: String) -> Measure {
    Measure(needs: [.variant(name)], unit: "bytes") { $0.variant(name)?.memory.map(Double.init) }
  }

  /// A figure that `name` itself yields.
  static func figure(_ figure: String, unit: String = "", of name: String) -> Measure {
    Measure(needs: [.variant(name)], unit: unit) { $0.variant(name)?.figure(figure) }
  }

  /// The costliest operation of `variant` along `curve`, as a multiple of what one costs where the curve begins.
  static func growth(along curve: String, of variant: String) -> Measure {
    Measure(needs: [.curve(curve, variant: variant)], unit: "×") { report in
      let costs = report.curve(curve, of: variant).map(\.cost)
      guard costs.count > 1, let first = costs.first, first > 0, let worst = costs.max() else { return nil }
      return worst / first
    }
  }

  private static func ratio(
    of name: String, to other: String, subject: String?, yardstick: String?,
    _ cost: @escaping @Sendable (VariantResult) -> Double
  ) -> Measure {
    Measure(
      needs: [.variant(name), .variant(other)], unit: "×", subject: subject, yardstick: yardstick
    ) { report in
      guard let upper = report.variant(name).map(cost), let lower = report.variant(other).map(cost), lower > 0
      else { return nil }
      return upper / lower
    }
  }
}
