public import Dispatch
public import Synchronization

/// One observer of a ``CallbackState``: the values that wait for it, and the turns on its queue that hand them over.
@usableFromInline
final class CallbackBinding<Value: Sendable>: Sendable {
  @usableFromInline let queue: DispatchQueue
  @usableFromInline let delivery: Mutex<Delivery>
  @usableFromInline let liveObject: LiveObjectToken
  /// Asked before each call. Not under the lock: a turn would get in the way of those who send.
  @usableFromInline let hasEnded = Atomic(false)

  @usableFromInline
  struct Delivery {
    @usableFromInline var observer: (@Sendable (Value) -> Void)?
    @usableFromInline var pending: [Value] = []
    /// A turn was submitted and has not taken what is pending yet.
    @usableFromInline var isScheduled = false
    /// A turn is calling the observer.
    @usableFromInline var isDelivering = false
    /// Nothing will be enqueued any more.
    @usableFromInline var isClosed = false

    @inlinable
    init(observer: @escaping @Sendable (Value) -> Void) { self.observer = observer }

    @inlinable var isIdle: Bool { pending.isEmpty && !isScheduled && !isDelivering }

    @inlinable
    mutating func takePending() -> [Value] {
      defer { pending = [] }
      return pending
    }
  }

  @inlinable
  init(queue: DispatchQueue, observer: @escaping @Sendable (Value) -> Void) {
    self.queue = queue
    delivery = Mutex(Delivery(observer: observer))
    liveObject = LiveObjectToken(.observer, "CallbackBinding<\(Value.self)>")
  }

  @inlinable
  func enqueue(_ value: Value) {
    delivery.withLock { delivery in
      guard delivery.observer != nil else { return }
      delivery.pending.append(value)
      guard !delivery.isScheduled else { return }
      delivery.isScheduled = true
      // Submitted under the lock: a block that follows a send on the queue then also follows its delivery.
      queue.async { self.takeTurn() }
    }
  }

  /// Drops the observer and what waits for it.
  @inlinable
  func end() {
    hasEnded.store(true, ordering: .sequentiallyConsistent)
    let dropped = delivery.withLock { delivery in
      let dropped = (delivery.observer, delivery.pending)
      delivery.observer = nil
      delivery.pending = []
      return dropped
    }
    // Both are released after the unlock: a deinit can be any code, and may come back here.
    withExtendedLifetime(dropped) {}
  }

  /// Drops the observer once it has seen what waits for it.
  @inlinable
  func close() {
    let isIdle = delivery.withLock { delivery in
      delivery.isClosed = true
      return delivery.isIdle
    }
    if isIdle { end() }
  }

  @inlinable
  func takeTurn() {
    guard let (observer, first) = begin() else { return }
    var batch: [Value]? = first
    while let values = batch {
      for value in values where !hasEnded.load(ordering: .sequentiallyConsistent) { observer(value) }
      batch = proceed()
    }
  }

  @inlinable
  func begin() -> (@Sendable (Value) -> Void, [Value])? {
    delivery.withLock { delivery in
      delivery.isScheduled = false
      // Only on a concurrent queue: the turn that is delivering takes what this one came for.
      guard !delivery.isDelivering, let observer = delivery.observer else { return nil }
      delivery.isDelivering = true
      return (observer, delivery.takePending())
    }
  }

  /// What the turn delivers next; `nil` where it is over, or another one has been submitted for the rest.
  @inlinable
  func proceed() -> [Value]? {
    let (next, isOver) = delivery.withLock { delivery -> ([Value]?, Bool) in
      if !delivery.pending.isEmpty, !delivery.isScheduled { return (delivery.takePending(), false) }
      delivery.isDelivering = false
      return (nil, delivery.isClosed && delivery.isIdle)
    }
    if isOver { end() }
    return next
  }
}
