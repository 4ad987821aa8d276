/// The decisions that lead to one interleaving, as text to print and to replay.
///
/// | text | decisions |
/// | --- | --- |
/// | `path:` | the default order |
/// | `path:5=1,9=2` | the second possibility at the sixth choice, the third at the tenth, otherwise the first |
/// | `path:5=1,-3` | also leaves out the fourth spawned task |
/// | `path:coarse,5=1` | of an exhaustive simulation: code without an actor is not interrupted after calls |
public struct SimulationPath: Hashable, Sendable {
  let choices: [Int]

  /// The spawn numbers of tasks that are not started.
  let omitted: Set<Int>

  /// Whether code without an actor is interrupted only where it suspends or hops to an actor.
  let isCoarse: Bool

  init(choices: [Int], omitted: Set<Int> = [], isCoarse: Bool = false) {
    let length = choices.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    self.choices = Array(choices[..<length])
    self.omitted = omitted
    self.isCoarse = isCoarse
  }

  /// A path with other choices, without the same tasks.
  func with(_ choices: [Int]) -> SimulationPath {
    SimulationPath(choices: choices, omitted: omitted, isCoarse: isCoarse)
  }

  /// The number of decisions that differ from the default order.
  package var turns: Int { choices.count { $0 != 0 } }
}

extension SimulationPath: LosslessStringConvertible {
  /// Creates a path from its text, such as `path:5=1,9=2`. Returns nil if the text is malformed.
  public init?(_ description: String) {
    guard description.hasPrefix("path:") else { return nil }
    var choices: [Int] = []
    var omitted: Set<Int> = []
    var turns = description.dropFirst("path:".count).split(separator: ",")
    let isCoarse = turns.first == "coarse"
    if isCoarse { turns.removeFirst() }
    for turn in turns {
      if turn.hasPrefix("-"), let task = Int(turn.dropFirst()), task >= 0 {
        omitted.insert(task)
        continue
      }
      let parts = turn.split(separator: "=").map { Int($0) }
      guard parts.count == 2, let position = parts[0], let chosen = parts[1] else { return nil }
      guard position >= choices.count, position <= 1_000_000, chosen > 0 else { return nil }
      choices += Array(repeating: 0, count: position - choices.count) + [chosen]
    }
    self.init(choices: choices, omitted: omitted, isCoarse: isCoarse)
  }

  public var description: String {
    let turns = choices.indices.filter { choices[$0] != 0 }.map { "\($0)=\(choices[$0])" }
    return "path:"
      + ((isCoarse ? ["coarse"] : []) + turns + omitted.sorted().map { "-\($0)" }).joined(separator: ",")
  }
}
