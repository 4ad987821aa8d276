/// Decides which of several jobs runs next.
protocol Chooser: AnyObject {
  /// - Parameters:
  ///   - tasks: whose jobs are ready. The first is that of the task that ran last, where it can go on, else the one that has waited
  ///     longest.
  ///   - canContinue: whether the first is the task that ran last.
  func choose(among tasks: [Int], canContinue: Bool) -> Int

  /// One of so many possibilities that a scenario asked for.
  func choose(_ count: Int) -> Int
}
