public import Dispatch
public import Synchronization

/// A value that closure-based code stores, and that one observer follows on a dispatch queue.
///
/// ```swift
/// let count = CallbackState(0)
/// let token = count.bind(on: .main) { label.text = "\($0)" }
/// count.update { $0 += 1 }
/// ```
///
/// | topic | guarantee |
/// | --- | --- |
/// | first value | The current value, in a later block on the queue. |
/// | order | Every later value in the order of the changes. No value is skipped. |
/// | overlap | The calls of the observer never overlap, even on a concurrent queue, and never run within `bind`, `send` or `update`. |
/// | later blocks | On a serial queue, a block that is submitted after `send` has returned runs after the observer has received the value. |
/// | second observer | ``bind(on:_:)`` replaces the first one, whose token then does nothing. |
/// | end | Values that were stored before this object was deallocated are still delivered if the token is kept. |
///
/// - Isolation: None. Send, read and bind on any thread. No lock is held while the observer runs.
/// - Ownership: The token retains the observer, but neither the `CallbackState` nor its owner.
/// - Complexity: A change stores the value, and submits a block unless one is waiting to run. That
///   block delivers all values that are stored by then.
public final class CallbackState<Value: Sendable>: Sendable {
  @usableFromInline let state: Mutex<State>

  @usableFromInline
  struct State {
    @usableFromInline var value: Value
    @usableFromInline var binding: CallbackBinding<Value>?

    @inlinable
    init(_ value: Value) { self.value = value }
  }

  /// Creates a state with its first value.
  @inlinable
  public init(_ value: Value) {
    state = Mutex(State(value))
  }

  /// The current value. The observer may not have received it yet.
  @inlinable
  public var value: Value {
    state.withLock { $0.value }
  }

  /// Stores `value` and enqueues it for the observer, if there is one.
  @inlinable
  public func send(_ value: Value) {
    state.take { state in
      let replaced = exchange(&state.value, with: value)
      // Enqueued under the lock, so that the order of delivery is the order of the sends.
      state.binding?.enqueue(value)
      return replaced
    }
  }

  /// Changes the value atomically, and enqueues the result for the observer, if there is one.
  ///
  /// `body` runs exactly once, under the lock of this state, so it must only compute. If `body`
  /// throws, the value is as before. Values that `body` replaces are released after the unlock, so
  /// their `deinit` can run any code.
  ///
  /// - Returns: The value that `body` returns.
  /// - Throws: The error that `body` throws.
  /// - Precondition: `body` does not use this state.
  @inlinable @discardableResult
  public func update<Output: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    // Released after the unlock.
    var replaced: Value?
    defer { withExtendedLifetime(replaced) {} }
    return try state.take { state throws(Failure) -> Output in
      let old = state.value
      replaced = old
      do throws(Failure) {
        let output = try body(&state.value)
        state.binding?.enqueue(state.value)
        return output
      } catch {
        replaced = exchange(&state.value, with: old)
        throw error
      }
    }
  }

  /// Sets the observer of this value, and replaces the previous observer, if any.
  ///
  /// - Cancellation: If the token is cancelled or released on `queue`, and `queue` is serial, no
  ///   call begins after that. Otherwise, at most one call is still running or about to begin. The
  ///   same applies to an observer that another call of `bind` replaces.
  @inlinable
  public func bind(
    on queue: DispatchQueue = .main, _ observer: @escaping @Sendable (Value) -> Void
  ) -> CancellationToken {
    let binding = CallbackBinding(queue: queue, observer: observer)
    let replaced = state.withLock { state in
      let replaced = state.binding
      state.binding = binding
      binding.enqueue(state.value)
      return replaced
    }
    replaced?.end()
    return CancellationToken { binding.end() }
  }

  @inlinable
  deinit {
    // No more values can be sent, so the observer is released after it has received the pending
    // values.
    state.withLock { $0.binding }?.close()
  }
}

/// One observer of a ``CallbackState``. It stores pending values until a block on the queue
/// delivers them.
@usableFromInline
final class CallbackBinding<Value: Sendable>: Sendable {
  @usableFromInline let queue: DispatchQueue
  @usableFromInline let delivery: Mutex<Delivery>
  @usableFromInline let liveObject: LiveObjectToken
  /// Whether the observation has ended. Checked before each call of the observer. The flag is an
  /// atomic, so that a delivery does not compete with senders for the lock.
  @usableFromInline let hasEnded = Atomic(false)

  @usableFromInline
  struct Delivery {
    @usableFromInline var observer: (@Sendable (Value) -> Void)?
    @usableFromInline var pending: [Value] = []
    /// Whether a submitted block has not begun to run.
    @usableFromInline var isScheduled = false
    /// Whether a block is calling the observer.
    @usableFromInline var isDelivering = false
    /// Whether no more values will be enqueued.
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
      // Submitted under the lock. Otherwise, a concurrent send could return before the block that
      // delivers its value is in the queue.
      queue.async { self.deliver() }
    }
  }

  /// Ends the observation, and releases the observer and the pending values.
  @inlinable
  func end() {
    hasEnded.store(true, ordering: .sequentiallyConsistent)
    delivery.take { (exchange(&$0.observer, with: nil), exchange(&$0.pending, with: [])) }
  }

  /// Ends the observation after the observer has received the pending values.
  @inlinable
  func close() {
    let isIdle = delivery.withLock { delivery in
      delivery.isClosed = true
      return delivery.isIdle
    }
    if isIdle { end() }
  }

  @inlinable
  func deliver() {
    guard let (observer, first) = beginDelivery() else { return }
    var batch: [Value]? = first
    while let values = batch {
      for value in values where !hasEnded.load(ordering: .sequentiallyConsistent) { observer(value) }
      batch = nextBatch()
    }
  }

  /// Returns the observer and the pending values, or `nil` if the observation has ended or another
  /// block is delivering.
  @inlinable
  func beginDelivery() -> (@Sendable (Value) -> Void, [Value])? {
    delivery.withLock { delivery in
      delivery.isScheduled = false
      // On a concurrent queue, another block may be delivering. That block then takes these values,
      // too.
      guard !delivery.isDelivering, let observer = delivery.observer else { return nil }
      delivery.isDelivering = true
      return (observer, delivery.takePending())
    }
  }

  /// Returns the next values to deliver, or `nil` if there are none or another block was submitted
  /// for them.
  @inlinable
  func nextBatch() -> [Value]? {
    let (next, isOver) = delivery.withLock { delivery -> ([Value]?, Bool) in
      if !delivery.pending.isEmpty, !delivery.isScheduled { return (delivery.takePending(), false) }
      delivery.isDelivering = false
      return (nil, delivery.isClosed && delivery.isIdle)
    }
    if isOver { end() }
    return next
  }
}
