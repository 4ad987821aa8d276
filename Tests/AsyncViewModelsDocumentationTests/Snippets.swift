import AsyncViewModelsSimulation
import Foundation
import Testing

/// Reads the files of this repository that the documentation tests compare.
enum Repository {
  /// Whether this build counts the executed regions.
  static let countsCoverage = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] != nil

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The path of an article of the documentation catalog.
  static func article(_ name: String) -> String { "Sources/AsyncViewModels/AsyncViewModels.docc/\(name).md" }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Prints what an example prints, if `Scripts/try` runs the tests.
  static func show(_ output: some CustomStringConvertible) {
    let environment = ProcessInfo.processInfo.environment
    if environment["ASYNC_VIEW_MODELS_SHOWS_EXAMPLES"] != nil { print("\n\(output)\n") }
  }
}

/// Checks that test files contain the Swift examples of a document or of the documentation comments of a source file, in the same
/// order.
///
/// Whitespace, comment lines and imports do not count. Examples for which `isIllustration` returns true are not
/// checked.
func expectExamples(
  of document: String, in sources: String..., except isIllustration: (String) -> Bool = { _ in false },
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let text = try Repository.text(document)
  let prose = document.hasSuffix(".swift") ? documentationComments(of: text) : text
  let examples = prose.components(separatedBy: "```swift\n").dropFirst()
    .map { $0.components(separatedBy: "```")[0] }.filter { !isIllustration($0) }
  try #require(!examples.isEmpty, sourceLocation: sourceLocation)
  var rest = try sources.map { source in
    code(of: try Repository.text("Tests/AsyncViewModelsDocumentationTests/\(source)"))
  }.joined()[...]
  for example in examples {
    guard let found = rest.range(of: code(of: example)) else {
      Issue.record(
        "this example is not in \(sources), or not in the order of \(document):\n\(example)",
        sourceLocation: sourceLocation)
      return
    }
    rest = rest[found.upperBound...]
  }
}

/// Checks that a document shows the description of a failure.
///
/// The documents show the timelines of a debug build on Linux. The optimizer removes hops, and the counters for the coverage keep hops, so
/// such builds have other choices.
func expectOutput(_ output: String, in document: String) throws {
  Repository.show(output)
  #if os(Linux) && DEBUG
    if Repository.countsCoverage { return }
    let isShown = try Repository.text(document).contains(output)
    #expect(isShown, "\(output)")
  #endif
}

private func documentationComments(of source: String) -> String {
  source.split(separator: "\n").map { $0.drop { $0.isWhitespace } }.filter { $0.hasPrefix("///") }
    .map { $0.dropFirst(4) }.joined(separator: "\n")
}

private func code(of text: String) -> String {
  text.split(separator: "\n").map { $0.filter { !$0.isWhitespace } }
    .filter { !$0.hasPrefix("//") && !$0.hasPrefix("import") && !$0.hasPrefix("@testableimport") }.joined()
}
