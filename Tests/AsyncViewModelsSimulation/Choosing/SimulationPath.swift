/// The decisions that lead to one interleaving, as text to print and to replay.
///
/// The text contains only the decisions that differ from the default order, and the tasks that are omitted.
/// `path:5=1,9=2,-3` takes the second possibility at the sixth choice, the third at the tenth, and the first
/// at all other choices. It omits the fourth spawned task. `path:` is the default order.
public struct SimulationPath: Hashable, Sendable {
  let choices: [Int]

  /// The spawn numbers of tasks that are not started.
  let omitted: Set<Int>

  init(choices: [Int], omitted: Set<Int> = []) {
    let length = choices.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    self.choices = Array(choices[..<length])
    self.omitted = omitted
  }

  /// The number of decisions that differ from the default order.
  public var turns: Int { choices.count { $0 != 0 } }
}

extension SimulationPath: LosslessStringConvertible {
  /// Creates a path from its text, such as `path:5=1,9=2`. Returns nil if the text is malformed.
  public init?(_ description: String) {
    guard description.hasPrefix("path:") else { return nil }
    var choices: [Int] = []
    var omitted: Set<Int> = []
    for turn in description.dropFirst("path:".count).split(separator: ",") {
      if turn.hasPrefix("-"), let task = Int(turn.dropFirst()), task >= 0 {
        omitted.insert(task)
        continue
      }
      let parts = turn.split(separator: "=").map { Int($0) }
      guard parts.count == 2, let position = parts[0], let chosen = parts[1] else { return nil }
      guard position >= choices.count, position <= 1_000_000, chosen > 0 else { return nil }
      choices += Array(repeating: 0, count: position - choices.count) + [chosen]
    }
    self.init(choices: choices, omitted: omitted)
  }

  public var description: String {
    let turns = choices.indices.filter { choices[$0] != 0 }.map { "\($0)=\(choices[$0])" }
    return "path:" + (turns + omitted.sorted().map { "-\($0)" }).joined(separator: ",")
  }
}
