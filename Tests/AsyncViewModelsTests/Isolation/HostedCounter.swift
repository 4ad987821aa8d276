import AsyncViewModels

/// An actor that does nothing but host others.
actor PlainHost {}

/// An actor that runs on the executor of its host, like every view model actor.
actor HostedCounter: ViewModelActor {
  nonisolated let hosted: HostedState<Void>
  private(set) var count = 0

  init(isolation: (any Actor)? = nil) { hosted = HostedState((), on: isolation) }

  @discardableResult
  func increment() -> Int {
    count += 1
    return count
  }

  /// Increments another counter without waiting. Terminates the process unless both counters share one
  /// isolation.
  func incrementSynchronously(_ other: HostedCounter) -> Int {
    other.assumeIsolated { $0.increment() }
  }

  func incrementAfterWaiting() async {
    await Task.yield()
    count += 1
  }
}
