public import Synchronization

/// What an ``ObservableState`` and its observers share: it lives as long as either, so that an observer can read the last
/// value after the owner has gone, and never keeps the owner alive.
@usableFromInline
final class StateStorage<Value: Sendable>: Sendable {
  @usableFromInline
  struct Guarded: Sendable {
    /// Goes up with every value. Observers begin at 0, so the first value is new to each of them.
    @usableFromInline var version: UInt64 = 1
    @usableFromInline var value: Value
    @usableFromInline var waiting = WaiterList()
    @usableFromInline var isFinished = false
    /// Hands every value to the observers that buffer. Made when the first of them comes.
    @usableFromInline var history: EventStorage<Value>?

    @inlinable init(value: Value) { self.value = value }

    /// Takes note of a value that is already in place, and says whom to wake. Nobody, as a rule: that is the path to keep short.
    @inlinable
    mutating func publish() -> Wake? {
      version &+= 1
      if waiting.isEmpty, history == nil { return nil }
      return Wake(waiting: waiting.removeAll(), buffering: history?.post(value))
    }
  }

  /// Those to resume once the lock is released.
  @usableFromInline
  struct Wake: Sendable {
    @usableFromInline let waiting: Waiter?
    @usableFromInline let buffering: EventStorage<Value>.Aftermath?

    @inlinable
    init(waiting: Waiter?, buffering: EventStorage<Value>.Aftermath?) {
      self.waiting = waiting
      self.buffering = buffering
    }

    @inlinable
    func resume() {
      Waiter.resumeAll(waiting)
      buffering?.resume()
    }
  }

  /// Not under the lock, so that an observer may go away wherever a value does, even inside an update.
  @usableFromInline let latestObserverCount = Atomic(0)
  // An update writes to both. Side by side they share a cache line, so one line travels between the cores, not two.
  @usableFromInline let updating = UpdateScope<Value>()
  @usableFromInline let guarded: Mutex<Guarded>

  @inlinable
  init(_ value: Value) { guarded = Mutex(Guarded(value: value)) }

  @inlinable
  var value: Value { guarded.withLock { $0.value } }

  @inlinable
  func send(_ value: Value) {
    if updating.deferred(value) { return }
    var value = value
    let wake = guarded.withLock { storage -> Wake? in
      if storage.isFinished { return nil }
      swap(&storage.value, &value)
      return storage.publish()
    }
    // What is replaced, or refused, is released after the unlock: its deinit can be any code.
    withExtendedLifetime(value) { wake?.resume() }
  }

  @inlinable
  func update<Answer: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    var wake: Wake?
    var deferred: [Value]?
    defer {
      wake?.resume()
      if let deferred { for value in deferred { send(value) } }
    }
    do throws(Failure) {
      let answer = try guarded.withLock { storage throws(Failure) -> Answer? in
        guard !storage.isFinished else { return nil }
        updating.begin()
        // Also if `body` throws: what it changed before is in place, and a snapshot agrees with the streams.
        defer {
          wake = storage.publish()
          deferred = updating.end()
        }
        return try body(&storage.value)
      }
      // A caller that ignores the answer, or the error, releases it after the unlock: its deinit can be any code.
      if let answer { return withExtendedLifetime(answer) { answer } }
    } catch {
      throw withExtendedLifetime(error) { error }
    }
    var copy = value
    return try body(&copy)
  }

  @inlinable
  func finish() {
    let (waiting, buffering) = guarded.withLock { storage -> (Waiter?, Waiter?) in
      if storage.isFinished { return (nil, nil) }
      storage.isFinished = true
      return (storage.waiting.removeAll(), storage.history?.finish())
    }
    Waiter.resumeAll(waiting)
    Waiter.resumeAll(buffering)
  }
}
