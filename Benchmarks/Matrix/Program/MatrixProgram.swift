import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsCommandLine
import Foundation

/// The `matrix` command.
enum MatrixProgram {
  /// - Returns: The exit code.
  static func run(_ arguments: [String]) async -> Int32 {
    do {
      try requireStandardOutput()
      let options = try MatrixOptions(arguments)
      if options.isHelp { try writeToStandardOutput(MatrixOptions.usage) } else { try await probe(options) }
      return ExitCode.success
    } catch {
      return ExitCode.explaining(error, usage: MatrixOptions.usage)
    }
  }

  private static func probe(_ options: MatrixOptions) async throws {
    try OutputFile.requireDifferent([("--json", options.json)] + options.pages.map { ("--update", $0) })
    let json = try options.json.map { path in try OutputFile(path: path) }
    let pages = try options.pages.map { path in try MarkedPage(path, section: .matrix) }

    let matrix = try await DecisionMatrix.probed()
    try writeToStandardOutput(options.isMarkdown ? matrix.markdown : matrix.text)

    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try json?.write(try encoder.encode(matrix))
    for page in pages { try page.write(matrix.markdown) }
  }
}
