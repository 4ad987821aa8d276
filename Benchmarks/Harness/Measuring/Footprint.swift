/// What a variant took of the machine while it was visited. `nil` where the platform does not tell.
struct Footprint: Equatable, Sendable {
  /// Bytes of resident memory at the peak, above those at the beginning.
  var memory: Int?
  /// How many threads ran.
  var threads: Int?

  /// The larger of both, figure by figure.
  mutating func formMaximum(_ other: Footprint) {
    memory = [memory, other.memory].compactMap(\.self).max()
    threads = [threads, other.threads].compactMap(\.self).max()
  }
}
