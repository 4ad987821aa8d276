import AsyncViewModelsCommandLine

extension [BenchmarkGroup] {
  static let filterFlag = "--filter"

  /// The variants whose names contain one of the patterns, ignoring case; all variants if there is no pattern. In a pattern, `*`
  /// stands for any text.
  ///
  /// - Throws: ``AsyncViewModelsCommandLine/UsageError/nothingSelected(flag:value:)`` for a pattern that selects nothing.
  func selected(by patterns: [String]) throws(UsageError) -> [BenchmarkGroup] {
    guard !patterns.isEmpty else { return self }
    let names = flatMap(\.names)
    if let useless = patterns.first(where: { pattern in !names.contains { $0.contains(pattern: pattern) } }) {
      throw .nothingSelected(flag: Self.filterFlag, value: useless)
    }
    return compactMap { group in
      group.keeping { benchmark in patterns.contains { group.name(of: benchmark).contains(pattern: $0) } }
    }
  }
}

extension String {
  /// Whether the parts of `pattern` between asterisks occur in this order.
  ///
  /// The first occurrence of each part leaves the most text for the next part, so the search never goes back.
  fileprivate func contains(pattern: String) -> Bool {
    var rest = lowercased()[...]
    for part in pattern.lowercased().split(separator: "*") {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
