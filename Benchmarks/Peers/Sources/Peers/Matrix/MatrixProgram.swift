import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsCommandLine

/// The `matrix` command: what Combine can do, beside the stages.
enum MatrixProgram {
  static let command = "matrix"

  private static let usage = """
    USAGE: swift run -c release --package-path Benchmarks/Peers Peers matrix [--update FILE]

    Prints what the view models in Combine can do, beside the stages. With --update, also writes the tables into FILE,
    between \(MarkedSection.combine.begin) and \(MarkedSection.combine.end).
    """

  /// - Returns: The exit code.
  static func run(_ arguments: [String]) async -> Int32 {
    do {
      try requireStandardOutput()
      var (reader, pages) = (ArgumentReader(arguments), [MarkedPage]())
      while let flag = try reader.nextFlag() {
        guard flag == "--update" else { throw UsageError.unknownFlag(flag) }
        pages.append(try MarkedPage(try reader.value(), section: .combine))
      }
      let tables = try await CombineMatrix.markdown()
      try writeToStandardOutput(tables)
      for page in pages { try page.write(tables) }
      return ExitCode.success
    } catch {
      return ExitCode.explaining(error, usage: usage)
    }
  }
}
