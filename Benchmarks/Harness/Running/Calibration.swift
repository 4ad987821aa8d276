/// Finds out how many iterations make a sample long enough for the clock.
enum Calibration {
  /// How many batches in a row have to be long enough.
  static let confirmations = 3

  /// The next size to try, or `nil` where `iterations` already took `target` (or near enough).
  ///
  /// Growth is bounded by ten, because the first batches run cold and say little.
  static func iterations(after iterations: Int, took elapsed: Duration, target: Duration) -> Int? {
    guard elapsed * 5 < target * 4 else { return nil }
    let ideal = Double(iterations) * target.nanoseconds / max(elapsed.nanoseconds, 1)
    return min(max(iterations + 1, Int(ideal)), iterations * 10)
  }
}
