import AsyncViewModelsCommandLine
import Foundation

/// The `frames` command: what a screen costs the main thread if its state changes often.
///
/// The benchmarks of the other groups run beside a main actor that no thread serves exclusively. This command needs the main thread
/// itself: it runs a loop of frames there, as an app does.
enum FramesProgram {
  static let command = "frames"

  static let usage = """
    USAGE: swift run -c release Benchmarks frames [--seconds N] [--rate N] [--changes N]

    Measures a screen on the main thread whose state changes 1, 1,000, 10,000 and 100,000 times a second, for each way to observe it.

      --seconds N   how long each measurement takes (default: 5)
      --rate N      the number of frames in a second (default: 120)
      --changes N   only this number of changes a second
      --help        print this help and exit
    """

  private struct Options {
    var duration = Duration.seconds(5)
    var rate = 120
    var changes = [1, 1_000, 10_000, 100_000]
    var isHelp = false

    init(_ arguments: [String]) throws(UsageError) {
      var reader = ArgumentReader(arguments)
      while let flag = try reader.nextFlag() {
        switch flag {
        case "--seconds": duration = try reader.value("a number from 0.05 to 600", FramesProgram.duration)
        case "--rate": rate = try reader.value("a number from 1 to 1000", number(1...1_000))
        case "--changes": changes = [try reader.value("a number up to 10000000", number(0...10_000_000))]
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
    try writeToStandardOutput(
      """
      The time of the main thread is the time beyond that of the same loop without an observer.

      | \(options.rate) frames/s | changes/s | main thread | renders per frame | most in a frame | hitch time | tap → rendered p50 | p99 | p99.9 |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      """)
    let loop = MainThreadLoop(rate: options.rate, duration: options.duration)
    let idle = loop.measure(.baseline, changes: 0).mainThread
    for stage in FrameStage.all(perSecond: options.rate) {
      for changes in options.changes {
        let figures = loop.measure(stage, changes: changes)
        let latencies = [0.5, 0.99, 0.999].map { figures.latency($0).map(milliseconds) ?? "–" }
        try writeToStandardOutput(
          """
          | \(stage.name) | \(changes.grouped) | \(milliseconds(figures.mainThread - idle))/s \
          | \(String(format: "%.2f", figures.rendersPerFrame)) | \(figures.mostRendersInAFrame.grouped) \
          | \(milliseconds(figures.hitchTime))/s | \(latencies.joined(separator: " | ")) |
          """)
      }
    }
  }

  private static func milliseconds(_ duration: Duration) -> String {
    String(format: "%.2f ms", duration / .milliseconds(1))
  }
}
