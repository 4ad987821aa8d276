import AsyncViewModels
import AsyncViewModelsTesting

/// An actor with a slot, as a view model has one: it writes down what is committed.
actor SlotOwner {
  /// An outcome that can be compared.
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

  /// The number that is expected to commit, where the test counts them.
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

  /// Runs work whose commit runs `work` again, so many times.
  func runChain(_ length: Int, _ work: @escaping @Sendable () async throws -> Int) {
    slot.run(on: self, work) { owner, outcome in
      owner.committed.append(Entry(outcome))
      if length > 1 { owner.runChain(length - 1, work) }
    }
  }

  /// Runs work whose cancellation starts the slot again, within the call that cancelled it.
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

  /// Holds the actor for a while, so that what wants to commit queues up behind it, and then cancels it.
  func cancelAfter(_ isReady: @Sendable () -> Bool) {
    for _ in 0..<100_000 where !isReady() {}
    slot.cancel()
  }

  /// Starts the next number. Whatever else commits after that is stale.
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
