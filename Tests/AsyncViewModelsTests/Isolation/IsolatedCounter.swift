import AsyncViewModels

/// An actor that only provides isolation.
actor PlainActor {}

/// An actor that runs on the executor of its isolation, like every view model actor.
actor IsolatedCounter: ViewModelActor {
  nonisolated let modelState: ModelState<Void>
  private(set) var count = 0

  init(isolation: (any Actor)? = nil) { modelState = ModelState((), on: isolation) }

  @discardableResult
  func increment() -> Int {
    count += 1
    return count
  }

  /// Increments another counter without waiting. Terminates the process unless both counters share one
  /// isolation.
  func incrementSynchronously(_ other: IsolatedCounter) -> Int {
    other.assumeIsolated { $0.increment() }
  }

  func incrementAfterWaiting() async {
    await Task.yield()
    count += 1
  }
}
