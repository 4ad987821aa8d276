import AsyncViewModelsTesting

/// A moment at which a child is killed. Its description is the argument of `--replay`.
enum Crash: Equatable, CustomStringConvertible {
  /// The child kills itself before, during or after an operation of its file system. Moments are counted from 0.
  case atMoment(Int, Folder.Beginning)
  /// The parent kills the child after a random delay.
  case random(seed: UInt64, index: Int)

  var description: String {
    switch self {
    case .atMoment(let moment, let beginning): "\(beginning.rawValue):\(moment)"
    case .random(let seed, let index): "\(seed):\(index)"
    }
  }

  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[1]), index >= 0 else { return nil }
    if let beginning = Folder.Beginning(rawValue: String(parts[0])) {
      self = .atMoment(index, beginning)
    } else if let seed = UInt64(parts[0]) {
      self = .random(seed: seed, index: index)
    } else {
      return nil
    }
  }

  var beginning: Folder.Beginning {
    if case .atMoment(_, let beginning) = self { beginning } else { .empty }
  }

  /// What the child does, and when the parent kills it.
  struct Plan {
    let saves: Int
    let group: Int
    /// The moment at which the child kills itself, or `nil`.
    let moment: Int?
    /// The delay in microseconds after which the parent kills the child, counted from the child's first line. `nil` for
    /// never.
    let delay: UInt32?
  }

  var plan: Plan {
    switch self {
    case .atMoment(let moment, _): return Plan(saves: 3, group: 1, moment: moment, delay: nil)
    case .random(let seed, let index):
      var mixer = SplitMix64(seed: seed)
      var numbers = SplitMix64(seed: mixer.next() &+ UInt64(index))
      let group = numbers.next(in: 1...3)
      return Plan(
        saves: 3_000, group: group, moment: nil, delay: UInt32(numbers.next(in: 0...Self.longestDelay)))
    }
  }

  /// The longest delay, in microseconds.
  private static let longestDelay = 20_000
}
