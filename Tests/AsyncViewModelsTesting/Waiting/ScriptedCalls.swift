public import AsyncViewModels
import Synchronization

/// A service's operation whose answers a test gives, one call at a time, when the test wants them.
///
/// One script serves every stage: it is called in the async form and in the completion-handler form alike.
///
/// ```swift
/// let service = ScriptedCartService()
/// async let added: Void = model.add(product)
/// let call = try await service.calls.next()  // the view model has asked
/// call.fail(CartError.refused(product.id, reason: "sold out"))
/// ```
///
/// - Promises: calls are handed out in the order in which they were made, each one once. The first answer to a call counts.
/// - Cancellation: a cancelled call is answered with `CancellationError`, unless the script is told to play a service that takes no
///   notice of it; either way ``ScriptedCall/waitForCancellation()`` returns.
public final class ScriptedCalls<Request: Sendable, Response: Sendable>: Sendable {
  private let ignoresCancellation: Bool
  private let channel = EventChannel<ScriptedCall<Request, Response>>()
  private let made = Mutex<[ScriptedCall<Request, Response>]>([])

  public init(ignoringCancellation: Bool = false) { ignoresCancellation = ignoringCancellation }

  /// The requests of all calls so far, in order.
  public var requests: [Request] { made.withLock { $0.map(\.request) } }

  /// The next call, made already or to come.
  ///
  /// - Throws: `CancellationError` where the task was cancelled, as that of a test is whose time is over.
  public func next() async throws(CancellationError) -> ScriptedCall<Request, Response> {
    for await call in channel.events() { return call }
    throw CancellationError()
  }

  /// The operation in its completion-handler form. `completion` is called on the thread that answers.
  public func callAsFunction(
    _ request: Request, completion: @escaping @Sendable (Result<Response, any Error>) -> Void
  ) -> CancellationToken {
    let call = ScriptedCall(request, completion)
    made.withLock { $0.append(call) }
    channel.keepForFirstObserver(call)
    return CancellationToken { [ignoresCancellation] in call.cancel(answering: !ignoresCancellation) }
  }

  /// The operation in its async form.
  public func callAsFunction(_ request: Request) async throws -> Response {
    let token = Mutex<CancellationToken?>(nil)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let started = self(request) { continuation.resume(with: $0) }
        token.withLock { $0 = started }
        if Task.isCancelled { started.cancel() }
      }
    } onCancel: {
      token.withLock { $0 }?.cancel()
    }
  }
}

/// One call that waits for its answer.
public final class ScriptedCall<Request: Sendable, Response: Sendable>: Sendable {
  public let request: Request
  private let completion: Mutex<(@Sendable (Result<Response, any Error>) -> Void)?>
  private let cancellation = Gate()

  init(_ request: Request, _ completion: @escaping @Sendable (Result<Response, any Error>) -> Void) {
    self.request = request
    self.completion = Mutex(completion)
  }

  /// Whether nobody has answered yet.
  public var isOpen: Bool { completion.withLock { $0 != nil } }

  /// Whether the caller called it off before it was answered.
  public var isCancelled: Bool { cancellation.isOpen }

  public func succeed(_ response: Response) { answer(.success(response)) }

  public func fail(_ error: any Error) { answer(.failure(error)) }

  /// Returns when the caller has called it off. A call that has been answered can no longer be called off.
  public func waitForCancellation() async { await cancellation.wait() }

  func cancel(answering: Bool) {
    // Whoever holds the token lets go of it after the answer, and calls nothing off by that.
    guard isOpen else { return }
    cancellation.open()
    if answering { answer(.failure(CancellationError())) }
  }

  private func answer(_ result: Result<Response, any Error>) {
    let completion = completion.withLock { completion in
      defer { completion = nil }
      return completion
    }
    completion?(result)
  }
}

extension ScriptedCall where Response == Void {
  public func succeed() { succeed(()) }
}
