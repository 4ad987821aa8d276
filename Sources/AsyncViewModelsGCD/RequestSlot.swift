public import Dispatch

/// Runs a view model's requests to a completion-handler service. A new request replaces the running
/// one.
///
/// ```swift
/// func refresh(completion: @escaping @Sendable () -> Void = {}) {
///   queue.async { [self] in
///     slot.run(completion) { service.orders(completion: $0) } receive: { [weak self] result in
///       self?.receive(result)
///     }
///   }
/// }
///
/// func cancel() {
///   slot.cancel { store.update { $0.cancel() } }
/// }
/// ```
///
/// This class is the counterpart of a ``TaskSlot`` with the policy `.latest`. Each caller's
/// completion handler is called once, when its request is over:
///
/// | the request | is over |
/// | --- | --- |
/// | runs to its end | after its result is received |
/// | is replaced | when its replacement is over; its result is dropped, even if the service ignores cancellation |
/// | is cancelled | at once |
/// | runs when the slot is released | at once; it is cancelled on a global queue |
///
/// - Isolation: The owner's serial queue. Call every member on this queue, except ``cancel(_:)``;
///   the compiler does not check this. `receive` runs on this queue, and completion handlers on the
///   callback queue.
/// - Ownership: A running request does not keep the slot alive.
///
/// `@unchecked Sendable`: `queue` guards the variables.
public final class RequestSlot: @unchecked Sendable {
  /// A completion handler of a caller that waits for a request.
  public typealias Completion = @Sendable () -> Void

  fileprivate let queue: DispatchQueue
  private let callbackQueue: DispatchQueue
  private var token: CancellationToken?
  private var timer: CancellationToken?
  private var completions: [Completion] = []
  /// Whether a result is awaited.
  private(set) var isRunning = false
  /// The number of the latest request. A result with another number is late, and is dropped.
  private var number = 0

  /// Creates an empty slot.
  ///
  /// - Parameters:
  ///   - queue: The serial queue that guards the owner.
  ///   - callbackQueue: The queue on which completion handlers are called.
  public init(queue: DispatchQueue, callbackQueue: DispatchQueue = .main) {
    self.queue = queue
    self.callbackQueue = callbackQueue
  }

  /// Starts a request in place of the running one, which is cancelled on a global queue. The
  /// callers of both requests wait for the new request.
  ///
  /// If `receive` starts another request, for example for the next page, the callers also wait for
  /// that request.
  ///
  /// - Parameters:
  ///   - completion: Called when the request is over.
  ///   - deadline: The time that the request has, or `nil` for a service that always calls its
  ///     completion handler. At the deadline, `receive` receives ``DeadlineExceeded``, and the
  ///     request is cancelled on a global queue. If it is not positive, the request does not start,
  ///     and `receive` receives the error in a later block of the queue.
  ///   - scheduler: Measures the deadline.
  ///   - start: Starts the request and returns its token.
  ///   - receive: Receives the result, unless the request was replaced or cancelled before.
  public func run<Value: Sendable>(
    _ completion: Completion? = nil, deadline: Duration? = nil,
    scheduler: any CallbackScheduler = DispatchCallbackScheduler(),
    _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> CancellationToken,
    receive: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    let cancelReplaced = replaceRequest(completion)
    defer { cancelReplaced() }
    let started = number
    if let deadline {
      guard deadline > .zero else {
        return queue.async { [weak self] in
          self?.end(started) { receive(.failure(DeadlineExceeded(duration: deadline))) }
        }
      }
      timer = scheduler.schedule(after: min(deadline, .longestDelay), on: queue) { [weak self] in
        self?.end(started, isExpired: true) { receive(.failure(DeadlineExceeded(duration: deadline))) }
      }
    }
    let token = start { [queue, weak self] result in
      queue.async { self?.end(started) { receive(result) } }
    }
    // `start` can call `cancel()` or `run`.
    guard isRunning, started == number else { return token.cancelOnGlobalQueue() }
    self.token = token
  }

  /// Begins a request that a later call of ``run(_:deadline:scheduler:_:receive:)`` starts, in
  /// place of the running one, which is cancelled on a global queue. The callers of both wait until
  /// the request is over.
  public func begin(_ completion: Completion? = nil) { replaceRequest(completion)() }

  /// Calls `completion` on the callback queue when the running request is over. If none is running,
  /// enqueues the call at once.
  public func notify(_ completion: Completion?) {
    guard let completion else { return }
    if isRunning { completions.append(completion) } else { callbackQueue.async(execute: completion) }
  }

  /// Cancels the running request, and enqueues the completion handlers of all callers. Call this
  /// method outside the queue, for which it waits.
  ///
  /// - Parameter change: Runs on the queue before the request is dropped, if one is running.
  public func cancel(_ change: () -> Void) { [self].cancel(change) }

  /// Drops the running request, if any, and enqueues the completion handlers of all callers.
  ///
  /// - Returns: The token of the request. Cancel it outside the queue: a service's cancellation
  ///   handler may wait for the queue.
  public func cancel() -> CancellationToken? {
    complete()
    return cancelRequest()
  }

  /// Drops the running request, if any, to replace it later. Its callers wait for the next request,
  /// or for a call of ``cancel()``. Do not call this method in `receive`: the callers would not
  /// wait for a request that starts after `receive` has returned.
  ///
  /// - Returns: The token of the request. Cancel it outside the queue.
  public func cancelRequest() -> CancellationToken? {
    isRunning = false
    // Both are taken first: a cancellation releases captures, whose `deinit` can start another
    // request.
    let (timer, token) = (timer.take(), token.take())
    timer?.cancel()
    return token
  }

  /// Drops the running request for a new one.
  ///
  /// - Returns: Cancels the dropped request. Call it last: the `deinit` of a capture can call
  ///   `run`.
  private func replaceRequest(_ completion: Completion?) -> () -> Void {
    let (timer, token) = (timer.take(), token.take())
    isRunning = true
    number += 1
    if let completion { completions.append(completion) }
    return {
      timer?.cancel()
      // A service's cancellation handler may wait for the queue.
      token?.cancelOnGlobalQueue()
    }
  }

  private func end(_ number: Int, isExpired: Bool = false, _ receive: () -> Void) {
    guard isRunning, number == self.number else { return }
    let token = cancelRequest()
    if isExpired { token?.cancelOnGlobalQueue() } else { token?.finish() }
    receive()
    if !isRunning { complete() }
  }

  private func complete() {
    for completion in exchange(&completions, with: []) { callbackQueue.async(execute: completion) }
  }

  deinit {
    complete()
    // The last reference can be released on the queue, and a cancellation handler may wait for the
    // queue.
    token?.cancelOnGlobalQueue()
  }
}

extension Collection<RequestSlot> {
  /// Cancels the running requests of slots with one queue. Call this method outside the queue.
  ///
  /// - Parameter change: Runs on the queue before the requests are dropped, if one is running.
  public func cancel(_ change: () -> Void) {
    let cancelled = first?.queue.sync { () -> [CancellationToken] in
      if contains(where: \.isRunning) { change() }
      return compactMap { $0.cancel() }
    }
    // Outside the queue: a service's cancellation handler may wait for it.
    for token in cancelled ?? [] { token.cancel() }
  }
}
