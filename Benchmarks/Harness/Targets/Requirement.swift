/// A variant that has to be measured before a ``Measure`` can say anything.
enum Requirement: Equatable, Sendable {
  /// By its full name, "section / title / variant".
  case variant(String)
  /// At every point of a curve.
  case curve(String, variant: String)

  func selects(_ benchmark: Benchmark, of group: BenchmarkGroup) -> Bool {
    switch self {
    case .variant(let name): group.name(of: benchmark) == name
    case .curve(let curve, let variant): group.point?.curve == curve && benchmark.variant == variant
    }
  }
}
