import AsyncViewModelsCommandLine

/// Finds the number of iterations that makes a sample long enough for the clock.
enum Calibration {
  /// The largest number of iterations. Work that needs more takes no time: less than 10⁻¹⁵ s for a sample of 1 ms.
  static let mostIterations = 1_000_000_000_000
  /// The number of batches in a row that have to be long enough.
  static let confirmations = 3

  /// The next number of iterations to try, or `nil` if a batch of `iterations` took at least four fifths of `target`.
  ///
  /// The number grows at most tenfold, because the first batches run cold and their times are not reliable.
  ///
  /// - Throws: ``NoMeasurableWork`` if `iterations` is the largest number or more.
  static func iterations(
    after iterations: Int, took elapsed: Duration, target: Duration
  ) throws(NoMeasurableWork) -> Int? {
    guard elapsed * 5 < target * 4 else { return nil }
    guard iterations < mostIterations else {
      throw NoMeasurableWork(iterations: iterations, elapsed: elapsed)
    }
    let ideal = Double(iterations) * target.nanoseconds / max(elapsed.nanoseconds, 1)
    return min(max(iterations + 1, Int(ideal)), iterations * 10)
  }
}

/// A benchmark whose work takes no time.
struct NoMeasurableWork: Error, Equatable, CustomStringConvertible {
  let iterations: Int
  let elapsed: Duration

  var description: String {
    "\(iterations.grouped) iterations took only \(elapsed). The optimizer may have removed the work: pass its result to blackHole(_:)."
  }
}
