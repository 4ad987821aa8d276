/// A random number generator that produces the same numbers for the same seed, so a failure can be
/// reproduced.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  /// The factor differs from the number that `next()` adds. If both were equal, consecutive seeds would share
  /// numbers.
  init(_ seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0xD1B5_4A32_D192_ED03 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
