import Synchronization

/// The same random numbers for the same seed: a failure comes again.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  /// Another factor than that of the steps: with one and the same, seeds in a row would share their numbers.
  init(_ seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0xD1B5_4A32_D192_ED03 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A number that any thread counts up and down.
final class Tally: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  func add(_ change: Int = 1) { number.add(change, ordering: .sequentiallyConsistent) }
}

/// - Throws: ``Unexpected`` if `call` does not throw `expected`.
func expectError<Failure: Error & Equatable>(
  _ expected: Failure, _ call: () throws(Failure) -> Void
) throws(Unexpected) {
  do { try call() } catch {
    return try expectEqual(error, expected, "what was refused")
  }
  throw Unexpected(description: "what \(expected) should refuse was done")
}

/// As ``until(_:)``, for what only the main actor may ask.
@MainActor
func untilOnMain(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}

/// Releases what it is given on a thread of the pool, or on another one of it.
func releaseElsewhere(_ object: some AnyObject & Sendable) {
  Task.detached { withExtendedLifetime(object) {} }
}
