import Foundation
import StorefrontTesting

/// The source files of the features that have one file for each stage.
struct SourceTree: Sendable {
  /// The files of each feature, by stage.
  let features: [[MigrationStage: SourceText]]

  /// Reads the sources of this program.
  ///
  /// - Throws: ``Missing`` if they have moved since the build.
  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let closureStage = "ClosureViewModel.swift"
    let viewModels = try Self.files(in: root.appending(path: "Sources/ViewModels"))
    features = try viewModels.filter { $0.lastPathComponent.hasSuffix(closureStage) }.map { file in
      let name = String(file.lastPathComponent.dropLast(closureStage.count))
      func text(_ suffix: String) throws -> SourceText {
        try SourceText(file.deletingLastPathComponent().appending(path: name + suffix))
      }
      return [
        .closure: try text(closureStage), .stream: try text("StreamViewModel.swift"),
        .async: try text("ViewModel.swift"),
      ]
    }
  }

  /// The view models of a stage.
  func viewModels(of stage: MigrationStage) -> [SourceText] { features.compactMap { $0[stage] } }

  private static func files(in folder: URL) throws -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    guard let files, !files.isEmpty else { throw Missing(path: folder.path) }
    return files
  }

  /// The sources have moved since the build.
  struct Missing: Error, CustomStringConvertible {
    let path: String
    var description: String { "no sources at '\(path)': run the program where it was built" }
  }
}
