/// The table of patterns in the documentation.
package enum BugPatternTable {
  package static let marker = "<!-- patterns -->"

  /// - Parameter seed: The first failing seed of a pattern, as text.
  package static func markdown(seed: (BugPattern) -> String) -> String {
    let head = ["| pattern | bug | thread | the simulator | seed |", "| --- | --- | --- | --- | ---: |"]
    let rows = BugPattern.all.map { pattern in
      "| `\(pattern.name)` | \(pattern.summary) | [\(pattern.thread.label)](\(pattern.thread.url)) "
        + "| \(pattern.expected) | \(seed(pattern)) |"
    }
    return (head + rows).joined(separator: "\n")
  }

  /// Returns a page with a new table between the two markers. Returns `nil` if the page does not have two markers.
  package static func page(_ page: String, with table: String) -> String? {
    let parts = parts(of: page)
    return parts.count == 3 ? [parts[0], "\n" + table + "\n", parts[2]].joined(separator: marker) : nil
  }

  /// The rows of the table on a page, without the column of the seeds, which depend on the build.
  package static func rows(of text: String) -> [[String]] {
    let parts = parts(of: text)
    return (parts.count == 3 ? parts[1] : text).split(separator: "\n").map { row in
      row.split(separator: "|").dropLast().map { $0.filter { $0 != " " } }
    }
  }

  private static func parts(of page: String) -> [String] {
    var parts: [String] = []
    var rest = page[...]
    while let range = rest.firstRange(of: marker) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}

extension BugPattern.Thread {
  /// The repository and the number: "groue/Semaphore #3".
  package var label: String {
    let parts = url.split(separator: "/")
    return "\(parts[2])/\(parts[3]) #\(parts[parts.count - 1])"
  }
}

extension BugPattern.Expectation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .found(let kind): "found: \(kind.rawValue)"
    case .refused(let text): "refused: “\(text)”"
    case .notFound(let reason): "not found: \(reason)"
    }
  }
}
