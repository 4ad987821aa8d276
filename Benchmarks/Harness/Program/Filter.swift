import AsyncViewModelsCommandLine

extension [BenchmarkGroup] {
  static let filterFlag = "--filter"

  /// The variants whose names contain a match of a regular expression, ignoring case; all variants if `expression` is `nil`.
  ///
  /// - Throws: ``AsyncViewModelsCommandLine/UsageError`` if the expression is invalid or selects nothing.
  func selected(by expression: String?) throws(UsageError) -> [BenchmarkGroup] {
    guard let expression else { return self }
    let regex: Regex<AnyRegexOutput>
    do { regex = try Regex(expression).ignoresCase() } catch {
      throw .invalidValue(
        flag: Self.filterFlag, value: expression, expected: "a regular expression (\(error))")
    }
    let selected = compactMap { group in group.keeping { group.name(of: $0).contains(regex) } }
    guard !selected.isEmpty else { throw .nothingSelected(flag: Self.filterFlag, value: expression) }
    return selected
  }
}
