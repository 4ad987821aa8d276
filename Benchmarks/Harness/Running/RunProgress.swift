/// Where a run stands.
struct RunProgress: Equatable, Sendable {
  /// What is being measured.
  let work: String
  /// How many groups are done, of how many.
  let finished: Int
  let total: Int
  let elapsed: Duration
  let remaining: Duration

  /// From 0 to 1, by time.
  var fraction: Double {
    let whole = elapsed.nanoseconds + remaining.nanoseconds
    return whole > 0 ? elapsed.nanoseconds / whole : 1
  }
}
