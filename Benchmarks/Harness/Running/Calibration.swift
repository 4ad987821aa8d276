/// Finds the number of iterations that makes a sample long enough for the clock.
enum Calibration {
  /// The number of batches in a row that have to be long enough.
  static let confirmations = 3

  /// The next number of iterations to try, or `nil` if a batch of `iterations` took at least four fifths of `target`.
  ///
  /// The number grows at most tenfold, because the first batches run cold and their times are not reliable.
  static func iterations(after iterations: Int, took elapsed: Duration, target: Duration) -> Int? {
    guard elapsed * 5 < target * 4 else { return nil }
    let ideal = Double(iterations) * target.nanoseconds / max(elapsed.nanoseconds, 1)
    return min(max(iterations + 1, Int(ideal)), iterations * 10)
  }
}
