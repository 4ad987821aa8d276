import AsyncViewModelsCommandLine

/// The number that a probe wants from every stage, and the rule that marks a stage's number.
///
/// A probe returns only numbers, so it cannot mark one stage more kindly than another.
struct Goal: Equatable, Sendable {
  let wanted: Int
  let total: Int
  let noun: String

  /// `wanted` out of `total`. The numbers range from 0 to `total`.
  static func exactly(_ wanted: Int, of total: Int, _ noun: String) -> Goal {
    Goal(wanted: wanted, total: total, noun: noun)
  }

  /// Marks the number of one stage.
  func mark(_ number: Int) -> Mark {
    // The worst number is the end of the range that is farther from the wanted number.
    let worst = max(wanted, total - wanted)
    let distance = abs(number - wanted)
    return distance == 0 ? .works : distance < worst ? .limited : .fails
  }

  /// What is wanted: "3 of 3 served".
  var text: String { "\(wanted.grouped) of \(total.grouped) \(noun)" }

  /// A stage's number: "1 of 3".
  func text(_ number: Int) -> String { "\(number.grouped) of \(total.grouped)" }
}
