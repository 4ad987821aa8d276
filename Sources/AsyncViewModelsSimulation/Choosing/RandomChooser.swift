/// Chooses uniformly at random.
final class RandomChooser: Chooser {
  private var numbers: SplitMix64

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  func choose(among tasks: [Int], canContinue: Bool) -> Int { numbers.next(below: tasks.count) }

  func choose(_ count: Int) -> Int { numbers.next(below: count) }
}

extension SplitMix64 {
  /// A random number in `0..<bound`.
  mutating func next(below bound: Int) -> Int {
    // The high half of the product is as uniform as the remainder and needs no division.
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
