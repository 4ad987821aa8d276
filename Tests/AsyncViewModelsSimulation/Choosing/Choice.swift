/// One decision of a run: which of so many.
struct Choice: Equatable, Sendable {
  /// How many there were to choose from; at least two, as one is no choice.
  let count: Int

  /// 0 is what would have happened without a scheduler: the same task goes on, else whoever has waited longest.
  let chosen: Int

  /// Whether the task that ran last could have gone on, so that every choice but 0 makes it wait.
  let costsPreemption: Bool

  var isPreemption: Bool { costsPreemption && chosen > 0 }
}
