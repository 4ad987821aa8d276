import AsyncViewModels

/// A ``Figure`` over all samples of a variant.
struct MetricResult: Codable, Equatable, Sendable {
  let name: String
  let unit: String
  let statistics: Statistics

  /// One result for each name, in the order in which the names came up.
  static func results(of samples: [Sample]) -> [MetricResult] {
    let figures = samples.flatMap(\.figures)
    let byName = Dictionary(grouping: figures, by: \.name)
    var names: [String] = []
    for figure in figures where !names.contains(figure.name) { names.append(figure.name) }
    return names.map { name in
      let values = byName[name, default: []]
      return MetricResult(name: name, unit: values[0].unit, statistics: Statistics(values.map(\.value)))
    }
  }
}
