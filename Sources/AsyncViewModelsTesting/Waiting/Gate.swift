/// A latch that suspends tasks until a test releases them.
///
/// Use it instead of a sleep: a test waits until the work arrives at the gate, checks the state,
/// and then opens the gate.
///
/// ```swift
/// let gate = Gate()
/// let work = Task { await gate.wait() }
/// await gate.waitForArrivals(1)  // the work is suspended at the gate
/// gate.open()
/// await work.value
/// ```
///
/// - Ordering: ``release(_:)`` releases waiting tasks in the order of their arrival.
/// - Isolation: None. Every member may be used from any thread. Resumes tasks outside its lock.
public final class Gate: Sendable {
  private struct State {
    var isOpen: Bool
    var arrivals = 0

    /// The tickets of the waiting tasks, ascending. A release removes the first ones.
    var waiting: [Int] = []

    /// The tickets of the tasks that were cancelled while they waited. A task removes its ticket
    /// when it resumes.
    var cancelled: Set<Int> = []

    func hasReleased(_ ticket: Int) -> Bool {
      waiting.first.map { ticket < $0 } ?? true
    }
  }

  private let monitor: Monitor<State>

  /// Creates a gate, closed by default.
  public init(isOpen: Bool = false) {
    monitor = Monitor(State(isOpen: isOpen))
  }

  /// Whether an arriving task passes without waiting.
  public var isOpen: Bool { monitor.snapshot.isOpen }

  /// The number of tasks that have arrived so far, whether they had to wait or not.
  public var arrivalCount: Int { monitor.snapshot.arrivals }

  /// The number of tasks that are waiting now. Use it to check a concurrency limit.
  public var waitingCount: Int { monitor.snapshot.waiting.count }

  /// Arrives at the gate, and waits until the gate releases the calling task. Ignores cancellation,
  /// as some services do.
  ///
  /// If the gate stays closed, the task waits forever, unless the test has ``WaitEnding``.
  public func wait() async {
    guard let ticket = arrive() else { return }
    await monitor.wait { $0.hasReleased(ticket) }
  }

  /// Arrives at the gate, and waits until the gate releases the calling task or the task is
  /// cancelled.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, unless the gate released the
  ///   task before.
  public func waitUnlessCancelled() async throws {
    guard let ticket = arrive() else { return try Task.checkCancellation() }
    await withTaskCancellationHandler {
      await monitor.wait { $0.hasReleased(ticket) || $0.cancelled.contains(ticket) }
    } onCancel: {
      // Removes the ticket at once, so that the next release resumes a task that still waits.
      monitor.update { state in
        guard let index = state.waiting.firstIndex(of: ticket) else { return }
        state.waiting.remove(at: index)
        state.cancelled.insert(ticket)
      }
    }
    let isReleased = monitor.update { $0.cancelled.remove(ticket) == nil && $0.hasReleased(ticket) }
    guard isReleased else { throw CancellationError() }
  }

  /// Releases all waiting tasks and lets later tasks pass.
  public func open() {
    monitor.update {
      $0.isOpen = true
      $0.waiting.removeAll()
    }
  }

  /// Makes later tasks wait.
  public func close() {
    monitor.update { $0.isOpen = false }
  }

  /// Releases the first `count` waiting tasks, or all if fewer are waiting. Does not open or close
  /// the gate.
  ///
  /// - Precondition: `count` is not negative.
  public func release(_ count: Int = 1) {
    precondition(count >= 0, "Gate.release: the count must not be negative, but is \(count)")
    monitor.update { $0.waiting.removeFirst(min(count, $0.waiting.count)) }
  }

  /// Waits until at least `count` tasks have arrived since the gate was created, whether they had
  /// to wait or not.
  ///
  /// Returns early only if the calling task is cancelled.
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
