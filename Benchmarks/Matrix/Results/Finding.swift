/// What a probe finds out about one stage: the numbers, and the mark that follows from them.
struct Finding: Codable, Equatable, Sendable {
  let mark: Mark
  let text: String

  /// - Parameters:
  ///   - numbers: The numbers of the stage, one for each goal.
  ///   - stages: The numbers of all stages.
  init(_ numbers: [Int], for goals: [Goal], among stages: [[Int]]) {
    precondition(numbers.count == goals.count, "a probe has to return one number for each goal")
    mark = Mark(
      goals.indices.map { goal in
        goals[goal].mark(numbers[goal], among: stages.map { $0[goal] })
      })
    text = zip(goals, numbers).map { $0.text($1) }.joined(separator: ", ")
  }
}

extension Finding: CustomStringConvertible {
  var description: String { "\(mark.symbol) \(text)" }
}
