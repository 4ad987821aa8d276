import AsyncViewModelsBenchmarkHarness
import Foundation
import StorefrontLoopbackServer

/// From the command line of `matrix` to the table.
enum MatrixProgram {
  /// - Returns: the exit code.
  static func run(_ arguments: [String]) async -> Int32 {
    do {
      let options = try MatrixOptions(arguments)
      switch options.action {
      case .help: print(MatrixOptions.usage)
      case .probe: try await probe(options)
      }
      return 0
    } catch let error as UsageError {
      say("error: \(error)\n\n\(MatrixOptions.usage)\n")
      return 2
    } catch {
      say("error: \(error)\n")
      return 1
    }
  }

  private static func probe(_ options: MatrixOptions) async throws {
    let json = try options.json.map { path in try OutputFile(path: path) }
    let page = try options.page.map { path in (text: try marked(path), file: try OutputFile(path: path)) }

    let matrix = try await DecisionMatrix.probed()
    print(options.isMarkdown ? matrix.markdown : matrix.text)

    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try json?.write(try encoder.encode(matrix))
    if let page, let updated = MarkedSection.matrix.page(page.text, with: matrix.markdown) {
      try page.file.write(Data(updated.utf8))
    }
  }

  /// The text of a page that has the markers.
  private static func marked(_ path: String) throws(UsageError) -> String {
    let text: String
    do { text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8) } catch {
      throw UsageError.unreadable(path: path, reason: error.localizedDescription)
    }
    guard MarkedSection.matrix.contents(of: text) != nil else {
      throw UsageError.unmarked(path: path, marker: MarkedSection.matrix.begin)
    }
    return text
  }

  private static func say(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
