/// Selects benchmarks whose name contains a match of a regular expression, in whatever case.
struct Filter {
  let pattern: String
  private let regex: Regex<AnyRegexOutput>

  /// - Throws: ``UsageError/invalidRegex(_:reason:)``.
  init(_ pattern: String) throws(UsageError) {
    self.pattern = pattern
    do { regex = try Regex(pattern).ignoresCase() } catch {
      throw .invalidRegex(pattern, reason: "\(error)")
    }
  }

  func selects(_ name: String) -> Bool {
    name.contains(regex)
  }

  /// What of `groups` is selected.
  /// - Throws: ``UsageError/nothingSelected(filter:)``.
  func selection(of groups: [BenchmarkGroup]) throws(UsageError) -> [BenchmarkGroup] {
    let selected = groups.compactMap { $0.selecting(selects) }
    guard !selected.isEmpty else { throw .nothingSelected(filter: pattern) }
    return selected
  }
}
