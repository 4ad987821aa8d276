import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsCommandLine

/// What the command line of `matrix` asks for.
struct MatrixOptions: Equatable {
  static let command = "matrix"

  private(set) var isHelp = false
  /// Whether to print Markdown tables instead of a text table.
  private(set) var isMarkdown = false
  /// The file for the findings.
  private(set) var json: String?
  /// The pages whose marked sections the program writes.
  private(set) var pages: [String] = []

  /// - Parameter arguments: The arguments without the command.
  /// - Throws: ``AsyncViewModelsCommandLine/UsageError``, which names the argument.
  init(_ arguments: [String]) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    while let flag = try reader.nextFlag() {
      switch flag {
      case "--json": json = try reader.value()
      case "--update": pages.append(try reader.value())
      case "--markdown": isMarkdown = true
      case "--help", "-h": isHelp = true
      default: throw .unknownFlag(flag)
      }
    }
  }

  static let usage = """
    USAGE: swift run -c release Benchmarks matrix [OPTIONS]

    Tries what the closure, stream and async stage of the view models can do, and prints the decision matrix. All numbers
    are counts, so every run finds the same.

    OPTIONS:
      --markdown        print Markdown tables
      --update FILE     write the tables into FILE, between \(MarkedSection.matrix.begin) and \(MarkedSection.matrix.end).
                        Can be repeated.
      --json FILE       write the findings to FILE
      --help            print this help and exit

    Exit codes: 0 all probes ended · 1 a probe hangs or failed, and the error names it · 2 bad usage.
    """
}
