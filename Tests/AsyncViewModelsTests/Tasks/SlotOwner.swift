import AsyncViewModels
import AsyncViewModelsTesting
import ToolkitTestSupport

/// An actor that owns a slot, like a view model, and records what is committed.
actor SlotOwner {
  /// An equatable copy of an outcome.
  enum Entry: Equatable, Sendable {
    case value(Int)
    case failure(String)
    case cancelled

    var number: Int? {
      if case .value(let number) = self { number } else { nil }
    }

    init(_ outcome: TaskOutcome<Int>) {
      switch outcome {
      case .success(let value): self = .value(value)
      case .failure(let error): self = .failure("\(error)")
      case .cancelled: self = .cancelled
      }
    }
  }

  typealias Work = @Sendable () async throws -> Int

  nonisolated let slot: TaskSlot
  private(set) var committed: [Entry] = []

  /// The number of the latest run that ``startNumbered()`` has started.
  private(set) var newest = 0
  private(set) var staleCommits = 0
  private var mayCommit = true
  private var calls = 0

  init(_ policy: TaskSlot.Policy = .latest) { slot = TaskSlot(policy) }

  nonisolated var isRunning: Bool { slot.isRunning }

  func run(_ work: @escaping Work) async {
    await slot.run(on: self, work) { owner, outcome in owner.commit(outcome) }
  }

  @discardableResult
  nonisolated func start(at position: Int? = nil, _ work: @escaping Work) -> TaskSlot.Run {
    slot.start(at: position, on: self, work) { owner, outcome in owner.commit(outcome) }
  }

  func runInSteps(
    _ work: @escaping @Sendable (CommitGate<SlotOwner>) async -> Void,
    onCancel: @escaping @Sendable (isolated SlotOwner) -> Void = { $0.committed.append(.cancelled) }
  ) async {
    await slot.run(on: self, inSteps: work, onCancel: onCancel)
  }

  /// Calls ``run(_:)`` in a new task. Returns when the call has returned or waits for its run.
  func call(_ work: @escaping Work) async -> Task<Void, Never> { await call { await $0.run(work) } }

  /// Calls ``runInSteps(_:onCancel:)`` in a new task. Returns when the call has returned or waits for its
  /// run.
  func callInSteps(
    _ work: @escaping @Sendable (CommitGate<SlotOwner>) async -> Void
  ) async -> Task<Void, Never> {
    await call { await $0.runInSteps(work) }
  }

  /// Calls `body` in a new task. Returns when the call has returned or is suspended.
  func call(_ body: @escaping @Sendable (isolated SlotOwner) async -> Void) async -> Task<Void, Never> {
    let number = calls + 1
    // The actor is free again only after the first suspension of `body`.
    let task = Task {
      calls += 1
      await body(self)
    }
    while calls < number { await Task.yield() }
    return task
  }

  func commit(_ outcome: TaskOutcome<Int>) {
    assertIsolated()
    committed.append(Entry(outcome))
  }

  func add(_ value: Int) { committed.append(.value(value)) }

  func cancel() {
    slot.cancel()
    mayCommit = false
  }

  /// Occupies the actor during 100,000 checks of `isReady`, and then runs `body`.
  ///
  /// Usually, `isReady` returns `true` before the last check. A commit that becomes ready meanwhile waits for
  /// the actor.
  func occupy(_ isReady: @Sendable () -> Bool, _ body: @Sendable (isolated SlotOwner) -> Void = { _ in }) {
    for _ in 0..<100_000 where !isReady() {}
    body(self)
  }

  /// Starts a run that returns the next number. Its commit counts as stale if a newer run has started,
  /// or after ``cancel()``.
  func startNumbered() -> TaskSlot.Run {
    newest += 1
    mayCommit = true
    let number = newest
    return slot.start(on: self) {
      await Task.yield()
      return number
    } commit: { owner, outcome in
      if number != owner.newest || !owner.mayCommit { owner.staleCommits += 1 }
      owner.committed.append(Entry(outcome))
    }
  }
}

extension TaskSlot.Policy {
  static let all: [TaskSlot.Policy] = [.latest, .keepRunning, .join, .serial, .concurrent]
}
