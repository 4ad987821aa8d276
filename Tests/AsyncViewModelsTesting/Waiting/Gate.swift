/// A latch that holds tasks back until a test lets them go.
///
/// It takes the place of a sleep: instead of hoping that work has got somewhere after a while, a test awaits its
/// arrival at the gate, looks at the world, and then opens.
///
/// ```swift
/// let gate = Gate()
/// let work = Task { await gate.wait() }
/// await gate.waitForArrivals(1)  // the work is here, and can go no further
/// gate.open()
/// await work.value
/// ```
///
/// - Ordering: ``release(_:)`` lets waiting tasks go in the order in which they arrived.
/// - Isolation: none; every member may be used from anywhere. No lock is held while a task is resumed.
public final class Gate: Sendable {
  private struct State {
    var isOpen: Bool
    var arrivals = 0

    /// The tickets of those who wait, ascending: whoever is let go is taken from the front.
    var waiting: [Int] = []

    func hasReleased(_ ticket: Int) -> Bool {
      waiting.first.map { ticket < $0 } ?? true
    }
  }

  private let monitor: Monitor<State>

  /// A gate that is closed, unless it is asked to start open.
  public init(isOpen: Bool = false) {
    monitor = Monitor(State(isOpen: isOpen))
  }

  /// Whether a task that arrives now goes straight through.
  public var isOpen: Bool { monitor.snapshot.isOpen }

  /// How many tasks have come to the gate so far, held or not.
  public var arrivalCount: Int { monitor.snapshot.arrivals }

  /// How many tasks the gate is holding back now: what proves a limit on concurrency.
  public var waitingCount: Int { monitor.snapshot.waiting.count }

  /// Arrives, and waits until the gate lets this task go. Cancellation is ignored, which makes this the stand-in for
  /// a service that ignores it too.
  public func wait() async {
    guard let ticket = arrive() else { return }
    await monitor.wait { $0.hasReleased(ticket) }
  }

  /// Arrives, and waits until the gate lets this task go.
  ///
  /// - Throws: `CancellationError`, at once, when the task is cancelled before that.
  public func waitUnlessCancelled() async throws {
    guard let ticket = arrive() else { return try Task.checkCancellation() }
    if await monitor.waitUnlessCancelled(until: { $0.hasReleased(ticket) }) { return }
    monitor.update { $0.waiting.removeAll { $0 == ticket } }
    throw CancellationError()
  }

  /// Lets everyone go who waits, and everyone who comes later.
  public func open() {
    monitor.update {
      $0.isOpen = true
      $0.waiting.removeAll()
    }
  }

  /// Holds back whoever comes from now on.
  public func close() {
    monitor.update { $0.isOpen = false }
  }

  /// Lets the first `count` of those who wait go, and stays as it is. Where fewer wait, all of them go.
  public func release(_ count: Int = 1) {
    precondition(count >= 0, "Gate.release: the count must not be negative, but is \(count)")
    monitor.update { $0.waiting.removeFirst(min(count, $0.waiting.count)) }
  }

  /// Returns when at least `count` tasks have come to the gate since it was made, held or not; early only when the
  /// waiting task is cancelled.
  public func waitForArrivals(_ count: Int) async {
    _ = await monitor.waitUnlessCancelled { $0.arrivals >= count }
  }

  private func arrive() -> Int? {
    monitor.update { state in
      state.arrivals += 1
      guard !state.isOpen else { return nil }
      state.waiting.append(state.arrivals)
      return state.arrivals
    }
  }
}
