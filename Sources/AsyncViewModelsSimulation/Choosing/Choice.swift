/// One decision of a run among several possibilities.
struct Choice: Equatable, Sendable {
  /// The number of possibilities, at least 2.
  let count: Int

  /// The chosen possibility. Among jobs, 0 is the default order: the task that ran last continues.
  /// If it cannot, the task that has waited longest runs.
  let chosen: Int

  /// Whether the last task could have continued, so that every choice except 0 preempts it.
  let costsPreemption: Bool

  var isPreemption: Bool { costsPreemption && chosen > 0 }
}
