/// How much time a run takes, and what it buys.
struct Mode: Equatable, Sendable {
  let name: String
  /// The time for measuring.
  let total: Duration
  /// The most that one variant gets.
  let variantLimit: Duration
  /// The least that a sample lasts.
  let sample: Duration
  /// How often each variant is visited, if there is time.
  let rounds: Int
  /// How often each variant is visited even where that takes longer than its share.
  let minimumRounds: Int
  /// How many samples of each variant are taken even where that takes longer than its share.
  var minimumSamples = 1

  static let full = Mode(
    name: "full", total: .seconds(200), variantLimit: .seconds(4), sample: .milliseconds(1), rounds: 12,
    minimumRounds: 5)

  static let quick = Mode(
    name: "quick", total: .seconds(30), variantLimit: .milliseconds(800), sample: .microseconds(500),
    rounds: 5,
    minimumRounds: 3)
}
