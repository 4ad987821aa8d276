import AsyncViewModels

/// An actor that runs on the executor of its host, like every view model actor.
actor HostedCounter {
  private nonisolated let host: ActorHost
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe host.unownedExecutor }

  private(set) var count = 0

  init(isolation: any Actor = Isolation()) { host = ActorHost(isolation) }

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
