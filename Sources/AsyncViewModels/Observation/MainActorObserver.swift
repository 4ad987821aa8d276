public import Synchronization

/// Calls a body on the main actor with the latest value of a state, without a task that waits for
/// changes.
///
/// While the state does not change, there is only this object, which waits in the list of its
/// storage. A change removes it from the list and starts a short task on the main actor, which
/// reads the latest value, calls the body once, and inserts the object again. So no two calls of
/// the body run in one turn of the main actor.
///
/// The list and the short task retain this object. Its token ends the observation, and so does the
/// end of the state, without a task: an observer that waits has read every value.
///
/// `@unchecked Sendable`: `lock` guards `storage` and `body`, and the storage's lock guards
/// `seenVersion`.
@usableFromInline
class MainActorObserver<Owner: AnyObject, Value: Sendable>: Waiter, EndingWork, @unchecked Sendable {
  @usableFromInline typealias Body = @MainActor (Owner, Value) -> Void

  /// Guards `storage` and `body`. Not a `Mutex` of a struct: code that is not specialized would
  /// look up that type for each access.
  @usableFromInline final let lock = Mutex(())
  /// Kept until the observation ends, and `nil` after that, like `body`.
  @safe @exclusivity(unchecked) @usableFromInline final var storage: StateStorage<Value>?
  @safe @exclusivity(unchecked) @usableFromInline final var body: Body?
  @MainActor @usableFromInline final weak let owner: Owner?
  @usableFromInline final let liveObject: LiveObjectToken
  @usableFromInline final let scope = LiveObjectScope()
  /// The number of the value that was read last.
  @safe @exclusivity(unchecked) @usableFromInline final var seenVersion: UInt64 = 0

  /// `nil` if each change is delivered at once. Not stored here, because an observer that is not
  /// paced would need 16 more bytes.
  @usableFromInline var pacer: FramePacer? { nil }

  @inlinable @MainActor
  init(of storage: StateStorage<Value>, on owner: Owner, _ body: @escaping Body) {
    (self.storage, self.body) = (storage, body)
    self.owner = owner
    liveObject = LiveObjectToken(.observer, "observe on \(Owner.self)")
    super.init()
    storage.changeLatestObserverCount(by: 1)
  }

  /// Delivers the latest value in a later turn of the main actor, or ends the observation.
  @export(implementation)
  final func enqueue() {
    Task.detached(priority: .userInitiated) { @MainActor in self.deliver() }
  }

  /// Ends the observation, and releases the body and the storage. Only the first call has an
  /// effect.
  @inlinable
  final func end() {
    var storage: StateStorage<Value>?
    var body: Body?
    lock.withLock { _ in
      swap(&storage, &self.storage)
      swap(&body, &self.body)
      // Under the lock, so that a call at the same time returns after the observer is no longer
      // counted.
      storage?.changeLatestObserverCount(by: -1)
    }
    guard let storage else { return }
    _ = storage.guarded.withLock { $0.waiting.remove(self) }
    liveObject.end()
    pacer?.end()
  }

  /// Compares the storage under the lock: a copy could be its last reference, whose release can run
  /// any code.
  @usableFromInline final var hasEnded: Bool { lock.withLock { _ in storage == nil } }

  @inlinable
  override final func wake() {
    super.wake()
    var storage: StateStorage<Value>?
    // Retains only the storage. If the main actor ended the observation now, a copy of the body
    // would be released here, on the thread of the sender.
    lock.withLock { _ in storage = self.storage }
    if let storage { waitForChange(of: storage) }
  }

  @export(implementation) @MainActor
  final func deliver() {
    // Copied only on the main actor, so that no thread of a sender releases the body.
    var storage: StateStorage<Value>?
    var body: Body?
    lock.withLock { _ in (storage, body) = (self.storage, self.body) }
    guard let storage, let body else { return }
    guard let owner else { return end() }
    let value = readLatest(of: storage)
    scope.run { body(owner, value) }
    pacer?.didDeliver()
    waitForChange(of: storage)
  }

  @export(implementation)
  final func readLatest(of storage: StateStorage<Value>) -> Value {
    storage.guarded.withLock { storage in
      seenVersion = storage.version
      return storage.value
    }
  }

  /// Arranges the next delivery if there is an unread value. Otherwise, ends the observation if the
  /// state has ended, or waits for a change.
  @export(implementation)
  final func waitForChange(of storage: StateStorage<Value>) {
    let step = storage.guarded.withLock { storage -> MainActorObserverStep in
      // `end()` first clears `self.storage` and then removes the observer from the list. So it
      // removes an observer that is inserted at the same time.
      guard lock.withLock({ _ in self.storage != nil }) else { return .waitOrStop }
      if seenVersion != storage.version { return .deliver }
      if storage.isFinished { return .end }
      acquire()
      storage.waiting.insert(self)
      return .waitOrStop
    }
    switch step {
    case .waitOrStop: break
    case .deliver:
      if let pacer { pacer.schedule { self.deliver() } } else { enqueue() }
    case .end: end()
    }
  }
}

/// An observer that delivers at most one value in each frame.
@usableFromInline
final class PacedMainActorObserver<Owner: AnyObject, Value: Sendable>: MainActorObserver<Owner, Value>,
  @unchecked Sendable
{
  private let framePacer: FramePacer

  @MainActor @usableFromInline
  init(of storage: StateStorage<Value>, on owner: Owner, pacing: FramePacing, _ body: @escaping Body) {
    framePacer = FramePacer(pacing)
    super.init(of: storage, on: owner, body)
  }

  @usableFromInline override var pacer: FramePacer? { framePacer }
}

/// What a ``MainActorObserver`` does next. Not nested, because a nested type would be generic.
@usableFromInline
enum MainActorObserverStep { case waitOrStop, deliver, end }
