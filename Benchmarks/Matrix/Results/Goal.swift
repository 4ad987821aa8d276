import AsyncViewModelsCommandLine

/// The number that a probe wants from every stage, and the rule that marks a stage's number.
///
/// A probe returns only numbers, so it cannot mark one stage more kindly than another.
enum Goal: Equatable, Sendable {
  /// `wanted` out of `total`. The numbers range from 0 to `total`.
  case exactly(_ wanted: Int, of: Int, _ noun: String)
  /// A number without a limit, for example of lines. Fewer are better.
  case fewest(_ noun: String)

  /// Marks the number of one stage.
  ///
  /// - Parameter stages: The numbers of all stages.
  func mark(_ number: Int, among stages: [Int]) -> Mark {
    switch self {
    case .exactly(let wanted, let total, _):
      // The worst number is the end of the range that is farther from the wanted number.
      let worst = max(wanted, total - wanted)
      let distance = abs(number - wanted)
      return distance == 0 ? .works : distance < worst ? .limited : .fails
    case .fewest: return number == stages.min() ? .works : .limited
    }
  }

  /// What is wanted: "3 of 3 served".
  var text: String {
    switch self {
    case .exactly(let wanted, let total, let noun): "\(wanted.grouped) of \(total.grouped) \(noun)"
    case .fewest(let noun): "the fewest \(noun)"
    }
  }

  /// A stage's number: "1 of 3".
  func text(_ number: Int) -> String {
    switch self {
    case .exactly(_, let total, _): "\(number.grouped) of \(total.grouped)"
    case .fewest: number.grouped
    }
  }
}
