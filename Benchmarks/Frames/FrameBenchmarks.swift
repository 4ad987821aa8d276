import AsyncViewModels
import AsyncViewModelsBenchmarkHarness
import AsyncViewModelsCommandLine
import Foundation

/// What a screen costs the main thread if its state changes often, with each way to observe the view model.
///
/// The time of a benchmark is the CPU time of the main thread in a second with 120 frames. Each sample is a measurement of the
/// `frames` command in a child process, because the loop of frames must be the main loop of its process.
enum FrameBenchmarks {
  static let rate = 120
  static let changes = [1, 1_000, 10_000, 100_000]
  static let curve = "main-thread CPU time of a screen, per second"

  static let mostRenders = "most renders in a frame"
  static let hitchTime = "hitch time a second"
  static let latency = "tap to render"

  static func title(changes: Int) -> String {
    "main-thread CPU time of a screen, \(Quantity.count(changes, "change")) a second"
  }

  static func name(of stage: FrameStage, changes: Int) -> String {
    "Frames / \(title(changes: changes)) / \(stage.name)"
  }

  static let pacedTitle = "main-thread CPU time of a frame-paced screen"

  /// - Parameter executable: This program, which the benchmarks run as a child.
  static func groups(executable: URL?) -> [BenchmarkGroup] {
    changes.map { stages(changes: $0, executable) } + [paced(executable)]
  }

  private static func stages(changes: Int, _ executable: URL?) -> BenchmarkGroup {
    BenchmarkGroup(
      section: "Frames", title: title(changes: changes), unit: "second", reference: FrameStage.closure.name,
      point: CurvePoint(
        curve, "changes a second", changes,
        note: """
          The CPU time that the main thread needs in each second. A loop of \(rate) frames a second serves a screen with a cheap \
          render (200 additions). The line “\(FrameStage.noObserver.name)” is the \
          loop itself, which all lines contain.
          """),
      benchmarks: FrameStage.all.map { stage in
        let benchmark = benchmark(stage.name, stage, changes: changes, executable)
        return stage.name == FrameStage.floor.name ? benchmark.asFloor : benchmark
      })
  }

  /// The rates take turns, so that a slow moment of the machine does not look like growth.
  private static func paced(_ executable: URL?) -> BenchmarkGroup {
    BenchmarkGroup(
      section: "Frames", title: pacedTitle, unit: "second", reference: variant(changes: 1_000),
      benchmarks: changes.dropFirst().map { changes in
        benchmark(variant(changes: changes), .paced, changes: changes, executable)
      })
  }

  static func variant(changes: Int) -> String { "\(Quantity.count(changes, "change")) a second" }

  private static func benchmark(
    _ name: String, _ stage: FrameStage, changes: Int, _ executable: URL?
  ) -> Benchmark {
    .timed(name) { duration in
      try sample(of: stage, changes: changes, for: duration, executable: executable)
    }
  }

  private static func sample(
    of stage: FrameStage, changes: Int, for duration: Duration, executable: URL?
  ) throws -> Sample {
    let seconds = max(duration - overhead, shortest) / .seconds(1)
    let figures = try FramesProcess.figures(
      executable: executable,
      arguments: ["--stage", stage.name, "--changes", "\(changes)", "--seconds", "\(seconds)", "--json"])
    return Sample(
      time: figures.mainThread, cpu: figures.allThreads,
      metrics: [
        Metric("renders per frame", figures.rendersPerFrame),
        Metric(mostRenders, Double(figures.mostRendersInAFrame)),
        Metric(hitchTime, unit: "ms", figures.hitchTime / .milliseconds(1)),
      ] + figures.latencies.map { Metric(latency, unit: "ms", $0 / .milliseconds(1)) })
  }

  /// About the time until the child measures.
  private static let overhead = Duration.milliseconds(60)
  private static let shortest = Duration.milliseconds(50)
}

/// Runs the `frames` command of this program in a child process.
enum FramesProcess {
  #if os(Linux) || os(macOS)
    /// Blocks until the child has ended.
    ///
    /// - Throws: ``FramesProcessError``.
    static func figures(executable: URL?, arguments: [String]) throws(FramesProcessError) -> FrameFigures {
      let (process, output) = (Process(), Pipe())
      process.executableURL = executable
      process.arguments = [FramesProgram.command] + arguments
      process.standardOutput = output
      do { try process.run() } catch { throw .notLaunched(reason: error.localizedDescription) }
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw .ended(status: process.terminationStatus) }
      do { return try JSONDecoder().decode(FrameFigures.self, from: data) } catch {
        throw .noFigures(output: String(decoding: data.prefix(200), as: UTF8.self))
      }
    }
  #else
    static func figures(executable: URL?, arguments: [String]) throws(FramesProcessError) -> FrameFigures {
      throw .notLaunched(reason: "this platform cannot start processes")
    }
  #endif
}

/// Why there are no figures of frames.
enum FramesProcessError: Error, Equatable {
  case notLaunched(reason: String)
  /// The child has explained why on standard error.
  case ended(status: Int32)
  case noFigures(output: String)
}

extension FramesProcessError: CustomStringConvertible {
  var description: String {
    switch self {
    case .notLaunched(let reason): "the process with the frames cannot be started: \(reason)"
    case .ended(let status): "the process with the frames ended with exit code \(status)"
    case .noFigures(let output): "the process with the frames printed '\(output)' instead of its figures"
    }
  }
}
