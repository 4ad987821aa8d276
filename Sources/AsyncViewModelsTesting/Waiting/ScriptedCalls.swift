public import AsyncViewModels
import Synchronization

/// A service operation that a test answers call by call.
///
/// The operation has an async form and a completion-handler form, so every kind of view model can
/// use it.
///
/// ```swift
/// let service = ScriptedCartService()
/// async let added: Void = model.add(product)
/// let call = try await service.calls.next()  // the view model has called the service
/// call.fail(CartError.refused(product.id, reason: "sold out"))
/// ```
///
/// - Ordering: ``next()`` returns each call once, in the order in which the calls were made. Only
///   the first response to a call has an effect.
/// - Cancellation: A cancelled call fails with `CancellationError`, unless the operation ignores
///   cancellation. In both cases ``ScriptedCall/waitForCancellation()`` returns.
public final class ScriptedCalls<Request: Sendable, Response: Sendable>: Sendable {
  private struct Arrivals {
    var calls: [ScriptedCall<Request, Response>] = []

    /// The number of calls that ``ScriptedCalls/next()`` has returned.
    var taken = 0
    var hasEnded = false

    mutating func takeNext() -> ScriptedCall<Request, Response>? {
      guard taken < calls.count else { return nil }
      taken += 1
      return calls[taken - 1]
    }
  }

  private let ignoresCancellation: Bool
  private let arrivals = Monitor(Arrivals())

  /// Creates an operation without calls.
  ///
  /// - Parameter ignoringCancellation: Whether a cancelled call waits for the test's response, as
  ///   with a service that ignores cancellation.
  public init(ignoringCancellation: Bool = false) {
    ignoresCancellation = ignoringCancellation
    TestWaits.add(self)
  }

  /// The requests of all calls so far, in order.
  public var requests: [Request] { arrivals.snapshot.calls.map(\.request) }

  /// All calls so far that have no response yet, in order.
  public var openCalls: [ScriptedCall<Request, Response>] { arrivals.snapshot.calls.filter(\.isOpen) }

  /// All calls so far, and the number of those that ``next()`` has returned.
  var callsAndTaken: ([ScriptedCall<Request, Response>], Int) {
    let arrivals = arrivals.snapshot
    return (arrivals.calls, arrivals.taken)
  }

  /// Returns the next call, and waits for it if necessary.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, for example by the time limit of the
  ///   test.
  public func next() async throws(CancellationError) -> ScriptedCall<Request, Response> {
    while await arrivals.waitUnlessCancelled(until: { $0.taken < $0.calls.count }) {
      if let call = arrivals.update({ $0.takeNext() }) { return call }
    }
    throw CancellationError()
  }

  /// The operation with a completion handler. The handler runs on the thread that answers or
  /// cancels the call.
  public func callAsFunction(
    _ request: Request, completion: @escaping @Sendable (Result<Response, any Error>) -> Void
  ) -> CancellationToken {
    let call = ScriptedCall(request, completion)
    deliver(call)
    return CancellationToken { [ignoresCancellation] in call.cancel(answering: !ignoresCancellation) }
  }

  /// The operation with async/await.
  public func callAsFunction(_ request: Request) async throws -> Response {
    let started = Mutex<ScriptedCall<Request, Response>?>(nil)
    // The response can come before this task suspends. The thread sanitizer does not see that it
    // comes before the return. But it sees that both take the lock of the call.
    defer { _ = started.withLock { $0 }?.isOpen }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let call = ScriptedCall<Request, Response>(request) { continuation.resume(with: $0) }
        // The call is stored before it is delivered, so that `onCancel` finds it. The check below
        // is for a task that was cancelled before the call was stored.
        started.withLock { $0 = call }
        if Task.isCancelled { call.cancel(answering: !ignoresCancellation) }
        deliver(call)
      }
    } onCancel: {
      started.withLock { $0 }?.cancel(answering: !ignoresCancellation)
    }
  }

  private func deliver(_ call: ScriptedCall<Request, Response>) {
    let hasEnded = arrivals.update {
      $0.calls.append(call)
      return $0.hasEnded
    }
    if hasEnded { call.fail(CancellationError()) }
  }
}

extension ScriptedCalls: WaitsOfTest {
  package var waits: [String] {
    openCalls.map { "a response to \(Request.self): \("\($0.request)".prefix(300))" }
  }

  package func endWaits() {
    arrivals.update { $0.hasEnded = true }
    for call in openCalls { call.fail(CancellationError()) }
  }
}

/// One call of a scripted operation, which the test answers.
public final class ScriptedCall<Request: Sendable, Response: Sendable>: Sendable {
  /// The arguments of the call.
  public let request: Request
  /// A struct, because each look at a closure in a generic `Mutex` wraps the closure once more.
  private struct Completion: Sendable {
    let run: @Sendable (Result<Response, any Error>) -> Void
  }

  private let completion: Mutex<Completion?>
  private let cancellation = Gate()

  init(_ request: Request, _ completion: @escaping @Sendable (Result<Response, any Error>) -> Void) {
    self.request = request
    self.completion = Mutex(Completion(run: completion))
  }

  /// Whether the call has no response yet.
  public var isOpen: Bool { completion.withLock { $0 != nil } }

  /// Whether the caller cancelled the call before it was answered.
  public var isCancelled: Bool { cancellation.isOpen }

  /// Answers the call with a response.
  public func succeed(_ response: Response) { answer(.success(response)) }

  /// Answers the call with an error.
  public func fail(_ error: any Error) { answer(.failure(error)) }

  /// Waits until the caller cancels the call. An answered call can no longer be cancelled.
  ///
  /// Returns early only if the calling task is cancelled, for example at the time limit of a test.
  public func waitForCancellation() async { try? await cancellation.waitUnlessCancelled() }

  func cancel(answering: Bool) {
    // A token also cancels when it is released. After the response, that does not count as a
    // cancellation.
    guard isOpen else { return }
    cancellation.open()
    if answering { answer(.failure(CancellationError())) }
  }

  private func answer(_ result: Result<Response, any Error>) {
    let completion = completion.withLock { $0.take() }
    completion?.run(result)
  }
}

extension ScriptedCall where Response == Void {
  /// Answers the call with success.
  public func succeed() { succeed(()) }
}
