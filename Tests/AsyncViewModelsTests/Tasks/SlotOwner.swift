import AsyncViewModels
import AsyncViewModelsTesting

/// An actor that owns a slot, like a view model, and records what is committed.
actor SlotOwner {
  /// An outcome in a form that is equatable.
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

  private let slot: TaskSlot
  private(set) var committed: [Entry] = []

  /// The number of the latest run that ``runNumbered()`` has started.
  private(set) var newest = 0
  private(set) var staleCommits = 0
  private var mayCommit = true

  init(_ policy: TaskSlot.Policy = .latest) { slot = TaskSlot(policy) }

  var isRunning: Bool { slot.isRunning }

  @discardableResult
  func run(_ work: @escaping @Sendable () async throws -> Int) -> Task<Void, Never> {
    slot.run(on: self, work) { owner, outcome in
      owner.assertIsolated()
      owner.committed.append(Entry(outcome))
    }
  }

  /// Runs `work` and, from each commit, runs it again: `length` runs in all.
  func runChain(_ length: Int, _ work: @escaping @Sendable () async throws -> Int) {
    slot.run(on: self, work) { owner, outcome in
      owner.committed.append(Entry(outcome))
      if length > 1 { owner.runChain(length - 1, work) }
    }
  }

  /// Runs work whose cancellation handler starts another run, within the call that cancels the first one.
  func runRestartingWhenCancelled(_ gate: Gate) {
    slot.run(on: self) { [weak self] in
      await withTaskCancellationHandler {
        await gate.wait()
        return 1
      } onCancel: {
        self?.assumeIsolated { _ = $0.run { 3 } }
      }
    } commit: { owner, outcome in
      owner.committed.append(Entry(outcome))
    }
  }

  @discardableResult
  func runInSteps(_ work: @escaping @Sendable (CommitGate<SlotOwner>) async -> Void) -> Task<Void, Never> {
    slot.run(on: self, inSteps: work)
  }

  func add(_ value: Int) { committed.append(.value(value)) }

  func cancel() {
    slot.cancel()
    mayCommit = false
  }

  /// Occupies the actor until `isReady`, or for 100,000 checks, and then cancels the slot.
  ///
  /// A commit that becomes ready meanwhile waits for the actor.
  func cancelAfter(_ isReady: @Sendable () -> Bool) {
    for _ in 0..<100_000 where !isReady() {}
    slot.cancel()
  }

  /// Starts a run that returns the next number. A later commit of any other number counts as stale.
  @discardableResult
  func runNumbered() -> Task<Void, Never> {
    newest += 1
    mayCommit = true
    let number = newest
    return slot.run(on: self) {
      await Task.yield()
      return number
    } commit: { owner, outcome in
      if number != owner.newest || !owner.mayCommit { owner.staleCommits += 1 }
      owner.committed.append(Entry(outcome))
    }
  }
}
