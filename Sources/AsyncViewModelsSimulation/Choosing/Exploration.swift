/// Enumerates all paths with a limited number of preemptions, depth first.
struct Exploration {
  private let preemptions: Int
  private(set) var path: [Int] = []

  init(preemptions: Int) { self.preemptions = preemptions }

  /// Advances to the path after the one that led to these choices. Returns false if that was the
  /// last path.
  mutating func advance(after choices: [Choice]) -> Bool {
    var budget = preemptions
    var budgets: [Int] = []
    for choice in choices {
      budgets.append(budget)
      if choice.isPreemption { budget -= 1 }
    }
    for index in choices.indices.reversed() {
      let choice = choices[index]
      guard choice.chosen + 1 < choice.count else { continue }
      guard !choice.costsPreemption || budgets[index] > 0 else { continue }
      path = choices[..<index].map(\.chosen) + [choice.chosen + 1]
      return true
    }
    return false
  }
}
