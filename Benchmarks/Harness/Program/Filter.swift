import AsyncViewModelsCommandLine

/// Selects benchmarks whose name contains a match of a regular expression, ignoring case.
struct Filter {
  private let pattern: String
  private let regex: Regex<AnyRegexOutput>

  /// - Throws: ``UsageError/invalidValue(flag:value:expected:)``.
  init(_ pattern: String) throws(UsageError) {
    self.pattern = pattern
    do { regex = try Regex(pattern).ignoresCase() } catch {
      throw .invalidValue(flag: Self.flag, value: pattern, expected: "a regular expression (\(error))")
    }
  }

  /// The selected part of `groups`.
  ///
  /// - Throws: ``UsageError/nothingSelected(flag:value:)``.
  func selection(of groups: [BenchmarkGroup]) throws(UsageError) -> [BenchmarkGroup] {
    let selected = groups.compactMap { group in
      group.keeping { group.name(of: $0).contains(regex) }
    }
    guard !selected.isEmpty else { throw .nothingSelected(flag: Self.flag, value: pattern) }
    return selected
  }

  /// All of `groups` without a pattern, or the part that the pattern selects.
  static func selection(
    of groups: [BenchmarkGroup], by pattern: String?
  ) throws(UsageError) -> [BenchmarkGroup] {
    guard let pattern else { return groups }
    return try Filter(pattern).selection(of: groups)
  }

  static let flag = "--filter"
}
