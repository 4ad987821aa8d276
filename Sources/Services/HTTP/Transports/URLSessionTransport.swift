import AsyncViewModels
import Dispatch
import Foundation
import StorefrontDomain
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests with `URLSession`, and adds guarantees that `URLSession` lacks on at least one platform.
///
/// | Topic | Guarantee |
/// | --- | --- |
/// | Redirection | Returned as a response. `URLSession` would follow it. On Linux, this drops a write's body. |
/// | Status 401 | Returned as a response. On Linux, a request never ends if the response asks for a password. |
/// | Long body | Fails at once if the announced length or the decompressed body exceeds the limit. |
/// | Write | On Linux, uses a new connection. On a closed one, `URLSession` would resend it without its body. |
/// | Threads | `send` and `cancel()` never block the caller. `URLSession` can block during a fast download. |
///
/// Other requests share connections that stay open: reads on all platforms, and writes on Apple platforms.
///
/// - Important: `URLSession` has defects in Swift 6.3 on Linux that no code outside it can prevent:
///   - It crashes the process if a server closes the connection in the middle of the response head.
///   - It crashes the process if a chunked body ends with a trailer field.
///   - It crashes the process if a response redirects to a URL such as `//[::1]/`.
///   - It takes a response that a server sends without a request for the response to the next request.
///   - It stores the body of a redirection in memory without a limit. Only ``HTTPLimits/deadline`` stops it.
///   - A body that the server sends fast and without end keeps all sessions of the process busy after its cancellation.
///   - It keeps only four connections open for later requests. If ``HTTPLimits/connections`` is greater, it opens new connections, and
///     closes old ones so late that the server can see more than ``HTTPLimits/connections`` at a time.
final class URLSessionTransport: StreamingTransport {
  let bodyLength: Int
  private let reads: Mutex<ExchangeSession>
  private let configuration: URLSessionConfiguration
  private let starts = DispatchQueue(label: "URLSessionTransport.starts")

  /// Creates a transport that uses a copy of `configuration`.
  ///
  /// The copy has no cache and no cookie storage. Its request timeout and its connection limit come from `limits`.
  init(limits: HTTPLimits, configuration: URLSessionConfiguration) {
    // On Linux, `copy()` returns the type `Any`.
    guard let configuration = configuration.copy() as? URLSessionConfiguration else {
      preconditionFailure("the copy of a configuration is not a configuration")
    }
    // The session has the timeout, because `URLSession` on Linux ignores the timeout of a request.
    configuration.timeoutIntervalForRequest = Self.wholeSeconds(limits.idleTimeout)
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpMaximumConnectionsPerHost = limits.connections
    self.configuration = configuration
    bodyLength = limits.bodyLength
    reads = Mutex(ExchangeSession(configuration))
  }

  /// Ends the session after its requests have finished. Otherwise the session would keep itself alive.
  deinit { reads.withLock { $0 }.session.finishTasksAndInvalidate() }

  func send(_ request: URLRequest, to receiver: any HTTPReceiver) -> CancellationToken {
    let exchange = URLSessionExchange(isSecure: request.url?.scheme == "https", receiver: receiver)
    starts.async { [self] in start(request, exchange) }
    return CancellationToken {
      if let task = exchange.abandon() { ExchangeDelegate.cancel(task) }
    }
  }

  private func start(_ request: URLRequest, _ exchange: URLSessionExchange) {
    guard exchange.isOpen else { return }
    guard Self.needsOwnConnection(request) else { return sessionForReads.start(exchange, request) }
    let own = ExchangeSession(configuration)
    own.start(exchange, request)
    // The session ends after its only request.
    own.session.finishTasksAndInvalidate()
  }

  /// The session that requests share until a receiver stops a response. On Linux, only reads share it.
  ///
  /// On Linux, a stopped response can keep the delegate queue of its session busy long after the task is cancelled. A new
  /// session has its own delegate queue.
  private var sessionForReads: ExchangeSession {
    let (current, old) = reads.withLock { [configuration] reads -> (ExchangeSession, ExchangeSession?) in
      guard reads.delegate.hasStopped.load(ordering: .acquiring) else { return (reads, nil) }
      let old = reads
      reads = ExchangeSession(configuration)
      return (reads, old)
    }
    old?.session.finishTasksAndInvalidate()
    return current
  }

  /// Whether the request needs a new connection. On Linux, every write does.
  ///
  /// If the server has closed an idle connection, `URLSession` on Linux sends the request again over a new
  /// connection, without its body, and the server may receive the write twice. A new connection prevents this.
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
    // A very long timeout would overflow in `URLSession`. `longestDelay` does not.
    let (seconds, attoseconds) = min(timeout, .longestDelay).components
    return TimeInterval(attoseconds > 0 ? seconds + 1 : seconds)
  }
}
