import Foundation
import StorefrontDomain
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and the part of its response that has arrived. It completes at most once.
final class Exchange: Sendable {
  typealias Completion = @Sendable (Result<HTTPAnswer, any Error>) -> Void

  private struct Progress {
    var task: URLSessionTask?
    var head: HTTPURLResponse?
    var body = Data()
    var completion: Completion?
  }

  private let progress: Mutex<Progress>
  private let maximumBodyLength: Int
  private let isSecure: Bool

  init(maximumBodyLength: Int, isSecure: Bool, completion: @escaping Completion) {
    progress = Mutex(Progress(completion: completion))
    self.maximumBodyLength = maximumBodyLength
    self.isSecure = isSecure
  }

  /// Keeps the head. Returns whether it announces a body that is too long.
  func receive(_ head: URLResponse) -> Bool {
    guard let head = head as? HTTPURLResponse, head.statusCode >= 200 else { return false }
    return progress.withLock { progress in
      guard progress.completion != nil else { return false }
      progress.head = head
      return head.expectedContentLength > maximumBodyLength
    }
  }

  /// Appends a part of the body if the result is within the limit. Returns whether it would exceed the limit.
  func receive(_ part: Data) -> Bool {
    progress.withLock { progress in
      guard progress.completion != nil else { return false }
      let fits = part.count <= maximumBodyLength - progress.body.count
      if fits { progress.body.append(part) }
      return !fits
    }
  }

  /// Completes with the error for a body that is too long.
  func refuse() {
    complete { [maximumBodyLength] _ in .failure(ServiceError.tooLarge(limit: maximumBodyLength)) }
  }

  /// Completes with this head and an empty body.
  func end(with head: HTTPURLResponse) {
    complete { _ in .success((Data(), head)) }
  }

  /// Completes with the response that has arrived, or with an error.
  ///
  /// - Parameter head: The head of the response. `URLSession` on Linux may report it only when the task completes.
  func end(with error: (any Error)?, head: URLResponse?) {
    complete { [isSecure] progress in
      if let error = error as? URLError {
        return .failure(ServiceError(error, isSecure: isSecure, hasHead: progress.head != nil))
      }
      if let error { return .failure(error) }
      guard let head = head as? HTTPURLResponse ?? progress.head else {
        return .failure(ServiceError.malformed("it is not HTTP"))
      }
      return .success((progress.body, head))
    }
  }

  /// Whether the exchange has neither completed nor been abandoned.
  var isOpen: Bool { progress.withLock { $0.completion != nil } }

  /// Keeps the task that performs the exchange. Returns whether the exchange is still open.
  func keep(_ task: URLSessionTask) -> Bool {
    progress.withLock { progress in
      if progress.completion != nil { progress.task = task }
      return progress.completion != nil
    }
  }

  /// Releases the completion handler without calling it. Returns the task to cancel, or `nil` if none is kept yet.
  func abandon() -> URLSessionTask? { close().task }

  private func complete(with result: (Progress) -> Result<HTTPAnswer, any Error>) {
    let progress = close()
    progress.completion?(result(progress))
  }

  /// Closes the exchange. Returns its progress, and releases the task, the response and the completion handler.
  private func close() -> Progress { progress.withLock { exchange(&$0, with: Progress()) } }
}

/// A session and its delegate.
struct ExchangeSession: Sendable {
  let session: URLSession
  let delegate = ExchangeDelegate()

  init(_ configuration: URLSessionConfiguration) {
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  func start(_ exchange: Exchange, _ request: URLRequest) {
    delegate.start(exchange, as: session.dataTask(with: request))
  }
}

/// Passes the events of a session to the exchanges of its tasks.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate {
  private let exchanges = Mutex<[Int: Exchange]>([:])
  /// Whether the body of a response was too long.
  let hasRefused = Atomic(false)

  func start(_ exchange: Exchange, as task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
    task.resume()
    // The exchange was abandoned before it had a task, or it has already completed. Then the cancellation is harmless.
    if !exchange.keep(task) { Self.cancel(task) }
  }

  private func exchange(of task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  /// Cancels the task without waiting for the session.
  ///
  /// Each cancellation uses its own queue, because `cancel()` can block for a long time. On Linux, all sessions share
  /// one internal queue, and a fast download keeps this queue busy.
  static func cancel(_ task: URLSessionTask) {
    DispatchQueue(label: "URLSessionTransport.cancellation").async { task.cancel() }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let exchange = exchange(of: dataTask), exchange.receive(response) { refuse(exchange, dataTask) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if let exchange = exchange(of: dataTask), exchange.receive(data) { refuse(exchange, dataTask) }
  }

  private func refuse(_ exchange: Exchange, _ task: URLSessionTask) {
    // Set the flag first: after the completion, the caller's next request must not use this session.
    hasRefused.store(true, ordering: .releasing)
    exchange.refuse()
    Self.cancel(task)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(
      with: error, head: task.response)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // Do not call the completion handler: this crashes the process if the task is already cancelled.
      exchange(of: task)?.end(with: response)
      Self.cancel(task)
    #else
      completionHandler(nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // The task does not end if the challenge is rejected or left to the default handling.
      exchange(of: task)?.end(with: nil, head: challenge.failureResponse)
      Self.cancel(task)
    #else
      let isPassword = challenge.failureResponse != nil
      completionHandler(isPassword ? .rejectProtectionSpace : .performDefaultHandling, nil)
    #endif
  }
}
