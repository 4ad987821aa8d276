import AsyncViewModelsCommandLine
import Foundation

/// The `frames` command: what a screen costs the main thread if its state changes often.
///
/// The command runs a loop of frames on the main thread, as an app does, so it needs a process of its own.
/// ``FrameBenchmarks`` runs it in child processes.
enum FramesProgram {
  static let command = "frames"

  static let usage = """
    USAGE: swift run -c release Benchmarks frames [--seconds N] [--rate N] [--changes N] [--stage NAME]
           [--render-time MS] [--json]

    Measures a screen on the main thread whose state changes 1, 1,000, 10,000 and 100,000 times a second, for each way to observe it.

      --seconds N   how long each measurement takes (default: 5, and nearly 4 minutes in total);
                    p99.9 needs 1,000 taps: 17 seconds at 120 frames a second
      --rate N      the number of frames in a second (default: 120)
      --changes N   only this number of changes a second
      --stage NAME  only the way to observe it with this name
      --render-time MS
                    how long each render takes in milliseconds (default: 200 additions)
      --json        print one line of JSON for each measurement instead of a table
      --help        print this help and exit
    """

  private struct Options {
    var duration = Duration.seconds(5)
    var rate = FrameBenchmarks.rate
    var changes = FrameBenchmarks.changes
    var stages = FrameStage.all
    var renderTime: Duration?
    var isJSON = false
    var isHelp = false

    init(_ arguments: [String]) throws(UsageError) {
      var reader = ArgumentReader(arguments)
      while let flag = try reader.nextFlag() {
        switch flag {
        case "--seconds": duration = try reader.value("a number from 0.05 to 600", FramesProgram.duration)
        case "--rate": rate = try reader.value("a number from 1 to 1000", number(1...1_000))
        case "--changes": changes = [try reader.value("a number up to 10000000", number(0...10_000_000))]
        case "--stage":
          let names = FrameStage.all.map { "'\($0.name)'" }.joined(separator: ", ")
          stages = [
            try reader.value("one of \(names)") { name in FrameStage.all.first { $0.name == name } }
          ]
        case "--render-time":
          renderTime = try reader.value("a number from 0 to 1000", FramesProgram.renderTime)
        case "--json": isJSON = true
        case "--help", "-h": isHelp = true
        default: throw .unknownFlag(flag)
        }
      }
    }
  }

  private static func number(_ range: ClosedRange<Int>) -> (String) -> Int? {
    { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
  }

  private static func duration(_ text: String) -> Duration? {
    Double(text).flatMap { (0.05...600).contains($0) ? .seconds($0) : nil }
  }

  private static func renderTime(_ text: String) -> Duration? {
    Double(text).flatMap { (0...1_000).contains($0) ? .milliseconds($0) : nil }
  }

  /// - Parameter arguments: The arguments without the command.
  /// - Returns: The exit code.
  @MainActor
  static func run(_ arguments: [String]) -> Int32 {
    do {
      try requireStandardOutput()
      let options = try Options(arguments)
      if options.isHelp {
        try writeToStandardOutput(usage)
      } else {
        try measure(options)
      }
      return ExitCode.success
    } catch {
      return ExitCode.explaining(error, usage: usage)
    }
  }

  @MainActor
  private static func measure(_ options: Options) throws {
    if !options.isJSON {
      try writeToStandardOutput(
        """
        | \(options.rate) frames/s | changes/s | main thread | renders per frame | most in a frame | hitch time | tap → rendered p50 | p99 | p99.9 |
        | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
        """)
    }
    let loop = MainThreadLoop(rate: options.rate, duration: options.duration, renderTime: options.renderTime)
    var isFirst = true
    for stage in options.stages {
      for changes in options.changes {
        if !isFirst { loop.rest(for: min(.milliseconds(200), options.duration)) }
        isFirst = false
        let figures = loop.measure(stage, pricesPerSecond: changes)
        try writeToStandardOutput(
          options.isJSON
            ? String(decoding: JSONEncoder().encode(figures), as: UTF8.self)
            : row(stage, changes, figures))
      }
    }
  }

  private static func row(_ stage: FrameStage, _ changes: Int, _ figures: FrameFigures) -> String {
    let latencies = [0.5, 0.99, 0.999].map { figures.latency($0).map(milliseconds) ?? "–" }
    return """
      | \(stage.name) | \(changes.grouped) | \(milliseconds(figures.mainThread))/s \
      | \(String(format: "%.2f", figures.rendersPerFrame)) | \(figures.mostRendersInAFrame.grouped) \
      | \(milliseconds(figures.hitchTime))/s | \(latencies.joined(separator: " | ")) |
      """
  }

  private static func milliseconds(_ duration: Duration) -> String {
    String(format: "%.2f ms", duration / .milliseconds(1))
  }
}
