import Foundation
import StorefrontTesting

/// The source files of the features that have one file for each stage.
struct SourceTree: Sendable {
  /// The text of each feature's files, by stage.
  let features: [[MigrationStage: String]]

  /// Reads the sources of this program.
  ///
  /// - Throws: ``Missing`` if they have moved since the build.
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

  /// The lines of code in a stage's files, without blank lines and comments.
  func lines(of stage: MigrationStage) -> [Substring] {
    features.compactMap { $0[stage] }.flatMap { $0.split(separator: "\n") }.filter { line in
      guard let start = line.firstIndex(where: { !$0.isWhitespace }) else { return false }
      return !line[start...].hasPrefix("//")
    }
  }

  /// The sources have moved since the build.
  struct Missing: Error, CustomStringConvertible {
    let path: String
    var description: String { "no view models at '\(path)': run the program where it was built" }
  }
}
