import AsyncViewModels

/// An actor that is hosted, as every view model actor is.
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

  /// Uses another actor without waiting for it, which works only where both have one host.
  func incrementAtOnce(_ other: HostedCounter) -> Int {
    other.assumeIsolated { $0.increment() }
  }

  func incrementAfterWaiting() async {
    await Task.yield()
    count += 1
  }
}
