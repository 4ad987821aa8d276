import Dispatch
import Synchronization

/// One observer of a ``Bindable``: the values that wait for it, and the turns on its queue that hand them over.
final class Binding<Value: Sendable>: Sendable {
  private let queue: DispatchQueue
  private let delivery: Mutex<Delivery>

  private struct Delivery {
    var observer: (@Sendable (Value) -> Void)?
    var pending: [Value] = []
    /// A turn was submitted and has not taken what is pending yet.
    var isScheduled = false
    /// A turn is calling the observer.
    var isDelivering = false
    /// Nothing will be enqueued any more.
    var isClosed = false

    var isIdle: Bool { pending.isEmpty && !isScheduled && !isDelivering }

    mutating func takePending() -> [Value] {
      defer { pending = [] }
      return pending
    }
  }

  init(queue: DispatchQueue, observer: @escaping @Sendable (Value) -> Void) {
    self.queue = queue
    delivery = Mutex(Delivery(observer: observer))
  }

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
  func end() {
    // Both leave the lock alive: releasing them may run a `deinit` that comes back here.
    let dropped = delivery.withLock { delivery in
      let dropped = (delivery.observer, delivery.pending)
      delivery.observer = nil
      delivery.pending = []
      return dropped
    }
    _ = dropped
  }

  /// Drops the observer once it has seen what waits for it.
  func close() {
    let isIdle = delivery.withLock { delivery in
      delivery.isClosed = true
      return delivery.isIdle
    }
    if isIdle { end() }
  }

  private func takeTurn() {
    var batch = begin()
    while let values = batch {
      for value in values {
        // Asked before each value: the observer may have been cancelled by the call before.
        guard let observer = delivery.withLock({ $0.observer }) else { break }
        observer(value)
      }
      batch = proceed()
    }
  }

  private func begin() -> [Value]? {
    delivery.withLock { delivery in
      delivery.isScheduled = false
      // Only on a concurrent queue: the turn that is delivering takes what this one came for.
      guard !delivery.isDelivering else { return nil }
      delivery.isDelivering = true
      return delivery.takePending()
    }
  }

  /// What the turn delivers next; `nil` where it is over, or another one has been submitted for the rest.
  private func proceed() -> [Value]? {
    let (next, isOver) = delivery.withLock { delivery -> ([Value]?, Bool) in
      if !delivery.pending.isEmpty, !delivery.isScheduled { return (delivery.takePending(), false) }
      delivery.isDelivering = false
      return (nil, delivery.isClosed && delivery.isIdle)
    }
    if isOver { end() }
    return next
  }
}
