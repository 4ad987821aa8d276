/// How much time a run takes, and how it uses the time.
struct Mode: Equatable, Sendable {
  let name: String
  /// The time for all measurements.
  let total: Duration
  /// The most time that one variant gets.
  let variantLimit: Duration
  /// The duration of a sample that the calibration aims at.
  let sample: Duration
  /// About how often a run visits each variant, if there is time. A visit is a set-up, samples and a teardown.
  let rounds: Int
  /// The least number of visits of each variant, even if they take longer than the variant's share of the time.
  let minimumRounds: Int
  /// The least number of samples of each variant, even if they take longer than the variant's share of the time.
  var minimumSamples = 1

  /// The time that a run of `variants` variants takes at least.
  func least(for variants: Int) -> Duration {
    Budget(remaining: total, variantLimit: variantLimit).share(of: variants, among: variants)
  }

  static let full = Mode(
    name: "full", total: .seconds(200), variantLimit: .seconds(4), sample: .milliseconds(1), rounds: 12,
    minimumRounds: 5)

  static let quick = Mode(
    name: "quick", total: .seconds(30), variantLimit: .milliseconds(800), sample: .microseconds(500),
    rounds: 5,
    minimumRounds: 3)
}
