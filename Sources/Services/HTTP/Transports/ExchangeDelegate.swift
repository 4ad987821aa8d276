import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct ExchangeSession: Sendable {
  let session: URLSession
  let delegate = ExchangeDelegate()

  init(_ configuration: URLSessionConfiguration) {
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  func start(_ exchange: URLSessionExchange, _ request: URLRequest) {
    delegate.start(exchange, as: session.dataTask(with: request))
  }
}

/// Passes the events of a session to the exchanges of its tasks.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate {
  private let exchanges = Mutex<[Int: URLSessionExchange]>([:])
  let hasStopped = Atomic(false)

  func start(_ exchange: URLSessionExchange, as task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
    task.resume()
    // The exchange was abandoned before it had a task, or has completed, which makes this harmless.
    if !exchange.keep(task) { Self.cancel(task) }
  }

  private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  /// Cancels the task without waiting for the session.
  ///
  /// `cancel()` can block for a long time: on Linux, all sessions share one internal queue, which a
  /// fast download keeps busy. So each cancellation uses its own queue.
  static func cancel(_ task: URLSessionTask) {
    DispatchQueue(label: "URLSessionTransport.cancellation").async { task.cancel() }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let exchange = exchange(of: dataTask), !exchange.receive(response) { stop(exchange) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if let exchange = exchange(of: dataTask), !exchange.receive(data) { stop(exchange) }
  }

  private func stop(_ exchange: URLSessionExchange) {
    // First: after the completion, the caller's next request must not use this session.
    hasStopped.store(true, ordering: .releasing)
    end(exchange)
  }

  /// Ends the exchange, and cancels its task once: on Linux, a second time can crash the process.
  private func end(_ exchange: URLSessionExchange?, head: URLResponse? = nil) {
    if let task = exchange?.end(head: head) { Self.cancel(task) }
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
      // Calling the completion handler would crash the process if the task is already cancelled.
      end(exchange(of: task), head: response)
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
      end(exchange(of: task), head: challenge.failureResponse)
    #else
      let isPassword = challenge.failureResponse != nil
      completionHandler(isPassword ? .rejectProtectionSpace : .performDefaultHandling, nil)
    #endif
  }
}
