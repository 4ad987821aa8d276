import AsyncViewModels
import Dispatch
import Foundation
import StorefrontDomain
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests with `URLSession`, and gives the guarantees that `URLSession` does not give on every platform.
///
/// | Topic | Guarantee |
/// | --- | --- |
/// | Redirection | Returned as a response. `URLSession` would follow it, and on Linux it would drop the body of a write. |
/// | Status 401 | Returned as a response. On Linux, a request that asks for a password would never end. |
/// | Long body | Fails when the decoded body exceeds the limit. The caller does not wait for the rest. |
/// | Write | On Linux, sent over a connection of its own: over a kept connection that the server has closed, `URLSession` would send it again, without its body. |
/// | Threads | Neither a request nor a cancellation waits for `URLSession`, which can block during a fast download. |
///
/// Connections for reads stay open and are reused.
///
/// - Important: In Swift 6.3 on Linux, `URLSession` ends the process if a server closes the connection after half of the
///   head of a response, or ends a body in chunks with a trailer field. It keeps the whole body of a redirection until the
///   deadline, however long the body is. No code outside `URLSession` can prevent this.
final class URLSessionTransport: HTTPTransport {
  private let reads: Mutex<ExchangeSession>
  private let configuration: URLSessionConfiguration
  private let maximumBodyLength: Int
  private let starts = DispatchQueue(label: "URLSessionTransport.starts")

  /// - Parameter configuration: A configuration whose cache, cookies, timeout and connection limit are replaced.
  init(limits: HTTPLimits, configuration: URLSessionConfiguration) {
    // On Linux, `copy()` returns the type `Any`.
    guard let configuration = configuration.copy() as? URLSessionConfiguration else {
      preconditionFailure("the copy of a configuration is not a configuration")
    }
    // The timeout is set on the session, because Linux ignores the timeout of a request.
    configuration.timeoutIntervalForRequest = Self.wholeSeconds(limits.idleTimeout)
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpMaximumConnectionsPerHost = limits.connections
    self.configuration = configuration
    maximumBodyLength = limits.bodyLength
    reads = Mutex(ExchangeSession(configuration))
  }

  /// Ends the session after its requests have finished. Otherwise the session would keep itself alive.
  deinit { reads.withLock { $0 }.session.finishTasksAndInvalidate() }

  func send(
    _ request: URLRequest, completion: @escaping @Sendable (Result<HTTPAnswer, any Error>) -> Void
  ) -> CancellationToken {
    let exchange = Exchange(
      maximumBodyLength: maximumBodyLength, isSecure: request.url?.scheme == "https", completion: completion)
    starts.async { [self] in start(request, exchange) }
    return CancellationToken {
      if let task = exchange.abandon() { ExchangeDelegate.cancel(task) }
    }
  }

  private func start(_ request: URLRequest, _ exchange: Exchange) {
    guard exchange.isOpen else { return }
    guard Self.needsOwnConnection(request) else { return sessionForReads.start(exchange, request) }
    let own = ExchangeSession(configuration)
    own.start(exchange, request)
    // The session ends after its only request.
    own.session.finishTasksAndInvalidate()
  }

  /// The session that all reads share, until a response in it is too long.
  ///
  /// On Linux, the delegate queue of such a response can stay busy long after its cancellation. So later reads get a new
  /// session.
  private var sessionForReads: ExchangeSession {
    let (current, old) = reads.withLock { [configuration] reads -> (ExchangeSession, ExchangeSession?) in
      guard reads.delegate.hasRefused.load(ordering: .acquiring) else { return (reads, nil) }
      let old = reads
      reads = ExchangeSession(configuration)
      return (reads, old)
    }
    old?.session.finishTasksAndInvalidate()
    return current
  }

  /// Whether the request is a write on Linux.
  ///
  /// If the server has closed an idle connection, `URLSession` on Linux sends the request again over a new
  /// connection, without its body, and the server may receive the write twice. A new connection was never idle.
  private static func needsOwnConnection(_ request: URLRequest) -> Bool {
    #if canImport(FoundationNetworking)
      !["GET", "HEAD"].contains(request.httpMethod)
    #else
      false
    #endif
  }

  /// The timeout, rounded up to whole seconds. On Linux, `URLSession` truncates a timeout, so half a second
  /// would become 0.
  static func wholeSeconds(_ timeout: Duration) -> TimeInterval {
    // A timeout longer than `longestDelay` would overflow in `URLSession`.
    let (seconds, attoseconds) = min(timeout, .longestDelay).components
    return TimeInterval(attoseconds > 0 ? seconds + 1 : seconds)
  }
}
