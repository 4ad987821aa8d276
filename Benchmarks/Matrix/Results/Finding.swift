/// What a probe finds out about one stage: the numbers, and the mark that follows from them.
struct Finding: Codable, Equatable, Sendable {
  let mark: Mark
  let text: String

  /// - Parameter numbers: The numbers of the stage, one for each goal.
  init(_ numbers: [Int], for goals: [Goal]) {
    precondition(numbers.count == goals.count, "a probe has to return one number for each goal")
    mark = Mark(zip(goals, numbers).map { $0.mark($1) })
    text = zip(goals, numbers).map { $0.text($1) }.joined(separator: ", ")
  }
}

extension Finding: CustomStringConvertible {
  var description: String { "\(mark.symbol) \(text)" }
}
