import AsyncViewModels
import AsyncViewModelsTesting
import Synchronization

/// A service that calls a handler of the test when a request is cancelled.
///
/// The handler can read the view model's state.
///
/// The service answers its requests when a test calls ``answer()``. With `answeringAtOnce`, it answers each request at once, before
/// the request returns a token. The service never finishes its tokens, so a view model has to finish the token of an answered
/// request. Otherwise, the release of the token calls the handler.
final class ReentrantService: Sendable {
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)
  private let answers = Gate()
  /// The completion handlers of the requests in progress, or `nil` after ``answer()``.
  private let completions = Mutex<[@Sendable () -> Void]?>([])
  private let requests = EventChannel<Void>()
  private let cancellations = EventChannel<Void>()

  init(answeringAtOnce: Bool = false) {
    if answeringAtOnce { answer() }
  }

  /// The number of cancellations that no call of ``waitForCancellation()`` has consumed.
  var cancellationCount: Int { cancellations.keptCount }

  /// Sets the handler that each later cancellation calls.
  func onCancel(_ handler: (@Sendable () -> Void)?) { self.handler.withLock { $0 = handler } }

  /// Waits for one request.
  func waitForRequest() async { for await _ in requests.events() { return } }

  /// Waits for one cancellation.
  func waitForCancellation() async { for await _ in cancellations.events() { return } }

  /// Answers all requests in progress and every later one.
  ///
  /// Cancelled requests with completion handlers are answered, too. Cancelled async requests throw an error.
  func answer() {
    answers.open()
    for completion in completions.withLock({ $0.take() }) ?? [] { completion() }
  }

  private func handleCancellation() {
    handler.withLock { $0 }?()
    cancellations.keepForFirstObserver(())
  }
}

/// The number of each answer is 1.
extension ReentrantService: NumberedService {
  func number() async throws -> Int {
    requests.keepForFirstObserver(())
    return try await withTaskCancellationHandler {
      try await answers.waitUnlessCancelled()
      return 1
    } onCancel: {
      handleCancellation()
    }
  }

  func number(completion: @escaping @Sendable (Result<Int, any Error>) -> Void) -> CancellationToken {
    let isPending = completions.withLock { completions in
      completions?.append { completion(.success(1)) }
      return completions != nil
    }
    if !isPending { completion(.success(1)) }
    requests.keepForFirstObserver(())
    return CancellationToken { self.handleCancellation() }
  }
}
