/// Makes the decisions of a run: which ready job runs next, and the numbers that the simulated code
/// asks for.
protocol Chooser: AnyObject {
  /// Chooses the index of the next job.
  ///
  /// - Parameters:
  ///   - tasks: The tasks of the ready jobs. The first is the task that ran last, if it can
  ///     continue, or else the one that has waited longest.
  ///   - canContinue: Whether the first task is the one that ran last.
  func choose(among tasks: [Int], canContinue: Bool) -> Int

  /// Chooses a number in `0..<count` for the simulated code.
  func choose(_ count: Int) -> Int
}
