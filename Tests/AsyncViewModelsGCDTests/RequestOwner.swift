import AsyncViewModelsGCD
import AsyncViewModelsTesting
import Dispatch
import Synchronization
import ToolkitTestSupport

/// The owner of a `RequestSlot` in a test. It logs each result and each call of a completion handler.
///
/// A serial queue guards the slot, as in a view model that uses completion handlers.
final class RequestOwner: Sendable {
  typealias Handler = @Sendable (Result<String, any Error>) -> Void

  let queue = DispatchQueue(label: "requests")
  let callbackQueue = DispatchQueue(label: "callbacks")
  let calls = ScriptedCalls<Int, String>(ignoringCancellation: true)
  let log = DeliveryLog<String>()
  let slot: Holder<RequestSlot>
  private let receiveHook = Holder<@Sendable (RequestOwner) -> Void>()
  let clock = VirtualClock()
  private let deadline: Duration?

  init(deadline: Duration? = nil) {
    self.deadline = deadline
    slot = Holder(RequestSlot(queue: queue, callbackQueue: callbackQueue))
  }

  /// Makes `body` run on the queue after each result.
  func onReceive(_ body: @escaping @Sendable (RequestOwner) -> Void) { receiveHook.set(body) }

  /// Starts a request, without a completion handler if `number` is `nil`. Call this method on the queue.
  func start(_ number: Int?, _ start: ((@escaping Handler) -> CancellationToken)? = nil) {
    slot.value?.run(number.map(completion), deadline: deadline, scheduler: clock) { handler in
      start?(handler) ?? calls(number ?? 0, completion: handler)
    } receive: { [weak self] (result: Result<String, any Error>) in
      guard let self else { return }
      dispatchPrecondition(condition: .onQueue(queue))
      switch result {
      case .success(let text): log.append("received \(text)")
      case .failure(is DeadlineExceeded): log.append("expired")
      case .failure: log.append("failed")
      }
      receiveHook.value?(self)
    }
  }

  /// Starts a request on the queue, and waits until it has started.
  func run(_ number: Int, _ start: (@Sendable (@escaping Handler) -> CancellationToken)? = nil) async {
    await queue.run { self.start(number, start) }
  }

  /// Begins a request that `run` starts later.
  func begin(_ number: Int) async {
    await queue.run { [self] in slot.value?.begin(completion(number)) }
  }

  func notify(_ number: Int) async {
    await queue.run { [self] in slot.value?.notify(completion(number)) }
  }

  func cancel() async -> CancellationToken? {
    await withCheckedContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: slot.value?.cancel()) }
    }
  }

  /// Cancels the request from outside the queue.
  func cancel(_ change: () -> Void) { slot.value?.cancel(change) }

  /// Waits until pending results have been received and pending completion handlers have been called.
  func settle() async {
    await queue.drain()
    await callbackQueue.drain()
  }

  private func completion(_ number: Int) -> RequestSlot.Completion {
    { [log, callbackQueue] in
      dispatchPrecondition(condition: .onQueue(callbackQueue))
      log.append("completed \(number)")
    }
  }
}
