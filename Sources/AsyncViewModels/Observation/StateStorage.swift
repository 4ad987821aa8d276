public import Synchronization

/// The storage that a ``StateStore`` shares with its observers.
///
/// The state and each observer retain the storage. So an observer can read the last value after the
/// state has been deallocated. Observers do not retain the state.
///
/// `@unchecked Sendable`: `deferredValues` is accessed only by a thread that is inside an update,
/// and so holds the lock.
@usableFromInline
package final class StateStorage<Value: Sendable>: @unchecked Sendable {
  @usableFromInline
  struct Guarded: Sendable {
    /// The number of the current value. Increases with every change. The last version that a new
    /// observer has read is 0, so the first value is new to each observer.
    @usableFromInline var version: UInt64 = 1
    @usableFromInline var value: Value
    @usableFromInline var waiting = WaiterList()
    @usableFromInline var isFinished = false
    /// Passes every value to the observers with buffers. Created with the first of these observers.
    @usableFromInline var history: EventStorage<Value>?
    /// The version of the last change by a thread that reads the value of a turn.
    @usableFromInline var ownVersion: UInt64 = 0

    @export(implementation) init(value: Value) { self.value = value }

    /// Publishes the value that is already stored. Returns the observers to resume after the
    /// unlock, if any.
    ///
    /// Usually there are none, so the path without observers is kept short.
    @export(implementation)
    mutating func publish() -> Wake? {
      version &+= 1
      if waiting.isEmpty, history == nil { return nil }
      return Wake(waiting: waiting.removeAll(), buffering: history?.post(value))
    }
  }

  /// The observers to resume after the lock is released.
  @usableFromInline
  struct Wake: Sendable {
    @usableFromInline let waiting: Waiter?
    @usableFromInline let buffering: EventStorage<Value>.PostResult?

    @export(implementation)
    init(waiting: Waiter?, buffering: EventStorage<Value>.PostResult?) {
      self.waiting = waiting
      self.buffering = buffering
    }

    @export(implementation)
    func resume() {
      Waiter.wakeAll(waiting)
      buffering?.resume()
    }
  }

  /// The number of observers without a buffer. The count is atomic and not guarded by the lock, so
  /// that an observer can be released even inside an update.
  @usableFromInline let latestObserverCount = Atomic<Int32>(0)
  /// The number of this state in the flight recorder. 0 if no recorder ran at its creation.
  @usableFromInline let recordedObject: UInt32
  /// The values that the body of an update has sent to this state. They are sent after the update
  /// is published, because the body runs under the lock, so that a send must not wait for the lock.
  @safe @exclusivity(unchecked) @usableFromInline var deferredValues: [Value] = []
  /// The thread that has read the value of this turn of the main actor.
  @usableFromInline let readingThread = ThreadMark()
  // An update writes to `updatingThread` and to `guarded`. These two fields share a cache line, so
  // an update touches one line instead of two.
  @usableFromInline let updatingThread = ThreadMark()
  @usableFromInline let guarded: Mutex<Guarded>

  @export(implementation)
  init(_ value: Value) {
    recordedObject = FlightEvents.isOn() ? FlightEvents.state(value, of: Value.self) : 0
    var contents = Guarded(value: value)
    // A change of a recorded state takes the way of a state that has observers, and only this way
    // reports it. So a state that is not recorded pays nothing for the recorder.
    if recordedObject != 0 { contents.history = EventStorage() }
    guarded = Mutex(contents)
  }

  @export(implementation)
  package var value: Value { guarded.withLock { $0.value } }

  @export(implementation)
  func send(_ value: Value) {
    if updatingThread.isPresent, deferIfOnUpdatingThread(value) { return }
    var value = value
    let wake = guarded.withLock { storage -> Wake? in
      if storage.isFinished { return nil }
      swap(&storage.value, &value)
      return publish(&storage, replacing: value)
    }
    // The replaced or rejected value is released after the unlock: its `deinit` can run any code.
    withExtendedLifetime(value) { wake?.resume() }
  }

  /// Publishes the value that is already stored, and records a change by the thread that reads.
  ///
  /// - Parameter old: The value before, or `nil` if it was changed in place.
  @export(implementation)
  func publish(_ storage: inout Guarded, replacing old: @autoclosure () -> Value?) -> Wake? {
    let wake = storage.publish()
    if wake != nil, recordedObject != 0 { noteChange(&storage, from: old()) }
    if readingThread.isPresent, readingThread.isCurrentThread() { storage.ownVersion = storage.version }
    return wake
  }

  /// - Parameter copiesOldValue: Whether to retain the old value until after the unlock. Otherwise,
  ///   values that `body` replaces can be released under the lock, where their `deinit` then runs,
  ///   and `body` must not throw after it has changed the value.
  @export(implementation)
  func update<Output: Sendable, Failure: Error>(
    copiesOldValue: Bool, _ body: (inout Value) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    var wake: Wake?
    var deferred: [Value] = []
    var old: Value?
    defer {
      withExtendedLifetime(old) { wake?.resume() }
      for value in deferred { send(value) }
    }
    let output = try guarded.take { storage throws(Failure) -> Output? in
      guard !storage.isFinished else { return nil }
      updatingThread.enter()
      defer {
        updatingThread.leave()
        if !deferredValues.isEmpty { deferred = exchange(&deferredValues, with: []) }
      }
      if copiesOldValue { old = storage.value }
      do throws(Failure) {
        let output = try body(&storage.value)
        wake = publish(&storage, replacing: old)
        return output
      } catch {
        // What `body` has stored is released after the unlock, instead of the old value.
        if let original = old { old = exchange(&storage.value, with: original) }
        throw error
      }
    }
    if let output { return output }
    var copy = value
    return try body(&copy)
  }

  /// If the current thread is inside an update, defers the send of `value`, and returns `true`.
  // Not inlined, so that a send outside of updates stays short enough to be inlined.
  @export(implementation) @inline(never)
  func deferIfOnUpdatingThread(_ value: Value) -> Bool {
    let isFromBody = updatingThread.isCurrentThread()
    if isFromBody { deferredValues.append(value) }
    return isFromBody
  }

  @export(implementation)
  func finish() {
    let (waiting, buffering) = guarded.withLock { storage -> (Waiter?, Waiter?) in
      if storage.isFinished { return (nil, nil) }
      storage.isFinished = true
      FlightEvents.note(.finished, recordedObject, storage.version)
      return (storage.waiting.removeAll(), storage.history?.finish())
    }
    Waiter.wakeAll(waiting)
    Waiter.wakeAll(buffering)
  }
}

extension StateStorage {
  /// Reports a new version to the flight recorder, and which fields differ from an old value.
  ///
  /// The recorder compares bytes, because the app's `==` must not run under the lock. The old value
  /// is alive, so a collection that differs has its elements at another address.
  @export(implementation) @inline(never)
  func noteChange(_ storage: inout Guarded, from old: Value?) {
    let version = storage.version
    unsafe withUnsafePointer(to: &storage.value) { new in
      guard var old else {
        return unsafe FlightEvents.noteChange(recordedObject, version: version, from: nil, to: new)
      }
      unsafe withUnsafePointer(to: &old) { old in
        unsafe FlightEvents.noteChange(recordedObject, version: version, from: old, to: new)
      }
    }
  }

  /// Counts an observer without a buffer that has come (1) or left (-1).
  @export(implementation)
  func changeLatestObserverCount(by change: Int32) {
    let count = latestObserverCount.add(change, ordering: .relaxed).newValue
    guard recordedObject != 0 else { return }
    FlightEvents.note(change > 0 ? .observerCame : .observerLeft, recordedObject, UInt64(max(count, 0)))
  }

  /// The value and the number of its version.
  @export(implementation)
  package var versionedValue: (Value, UInt64) { guarded.withLock { ($0.value, $0.version) } }

  /// Replaces the value if `version` is still the current version. Does nothing after `finish()`.
  ///
  /// Returns whether `version` is the current version.
  @export(implementation)
  package func send(_ value: Value, ifVersion version: UInt64) -> Bool {
    var value = value
    let (isCurrent, wake) = guarded.withLock { storage -> (Bool, Wake?) in
      guard storage.version == version else { return (false, nil) }
      if storage.isFinished { return (true, nil) }
      swap(&storage.value, &value)
      return (true, publish(&storage, replacing: value))
    }
    // The replaced or rejected value is released after the unlock: its `deinit` can run any code.
    withExtendedLifetime(value) { wake?.resume() }
    return isCurrent
  }

  /// Replaces the value if it still equals `old`. Does nothing after `finish()`.
  ///
  /// Returns whether the value was equal.
  @export(implementation)
  package func replace(_ old: Value, with new: Value) -> Bool where Value: Equatable {
    var isReplaced = false
    repeat {
      // Compared outside the lock, because the app's `==` can run any code.
      let (current, version) = versionedValue
      guard current == old else { return false }
      isReplaced = send(new, ifVersion: version)
    } while !isReplaced
    return true
  }

  @export(implementation) var history: EventStorage<Value>? {
    guarded.withLock { $0.history }
  }

  /// Creates an observer with a buffer and registers it under one lock, so that the observer misses
  /// no value.
  @export(implementation)
  func makeBufferingObserver(_ buffering: BufferingPolicy) -> BufferedObserver<Value> {
    guarded.withLock { storage in
      let history = storage.history ?? EventStorage()
      storage.history = history
      if storage.isFinished { _ = history.finish() }
      return history.makeObserver(buffering, first: storage.value)
    }
  }
}

/// What code on the main actor reads of a state in one turn. See `TurnSnapshot` in
/// `AsyncViewModelsUI`.
extension StateStorage {
  /// The value and its version. From now on, changes by this thread are recorded.
  @export(implementation)
  package var valueOfThisTurn: (Value, UInt64) {
    readingThread.enter()
    return versionedValue
  }

  /// Changes by this thread are not recorded any more.
  @export(implementation)
  package func endTurn() { readingThread.leave() }

  /// Whether this thread has not changed the state since a version. False if changes are not
  /// recorded any more.
  @export(implementation)
  package func isCurrentInThisTurn(_ version: UInt64) -> Bool {
    readingThread.isPresent && guarded.withLock { $0.ownVersion <= version }
  }
}
