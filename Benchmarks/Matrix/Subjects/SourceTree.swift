import AsyncViewModels
import Foundation
import StorefrontTesting

/// The source files of the view models, in all three stages: the features of which there is one file for each.
struct SourceTree: Sendable {
  /// A feature's file for each stage.
  let features: [[MigrationStage: String]]

  /// Reads the package that this was built from.
  ///
  /// - Throws: ``Missing`` where it is not there any more.
  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appending(path: "Sources/ViewModels")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }
    let closureStage = "ClosureViewModel.swift"
    features = try (files ?? []).filter { $0.lastPathComponent.hasSuffix(closureStage) }.map { file in
      let name = String(file.lastPathComponent.dropLast(closureStage.count))
      func text(_ suffix: String) throws -> String {
        let sibling = file.deletingLastPathComponent().appending(path: name + suffix)
        return try String(contentsOf: sibling, encoding: .utf8)
      }
      return [
        .closure: try text(closureStage), .stream: try text("StreamViewModel.swift"),
        .async: try text("ViewModel.swift"),
      ]
    }
    guard !features.isEmpty else { throw Missing(path: folder.path) }
  }

  /// The lines of a stage's files that have code on them: neither blank nor all comment.
  func lines(of stage: MigrationStage) -> [Substring] {
    features.compactMap { $0[stage] }.flatMap { $0.split(separator: "\n") }.filter { line in
      guard let start = line.firstIndex(where: { !$0.isWhitespace }) else { return false }
      return !line[start...].hasPrefix("//")
    }
  }

  /// The sources are not where they were when this was built.
  struct Missing: Error, CustomStringConvertible {
    let path: String
    var description: String { "no view models at '\(path)': run it where it was built" }
  }
}
