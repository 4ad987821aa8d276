import AsyncViewModels
import Dispatch
import Foundation
import StorefrontDomain
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests with `URLSession`, and adds guarantees that it lacks on at least one platform.
///
/// | Topic | Guarantee |
/// | --- | --- |
/// | Redirection | Returned as a response. `URLSession` would follow it. On Linux, this drops a write's body. |
/// | Status 401 | Returned as a response. On Linux, a request never ends if the response asks for a password. |
/// | Long body | Fails at once if the announced length or the decompressed body exceeds the limit. |
/// | Write | On Linux, uses a new connection. On a closed one, `URLSession` would resend it without its body. |
/// | Threads | `send` and `cancel()` never block the caller. `URLSession` can block during a fast download. |
///
/// Other requests share open connections: reads on all platforms, writes on Apple platforms.
///
/// - Important: On Linux, `URLSession` in Swift 6.3 has defects that other code cannot prevent:
///   - It crashes the process if a server closes the connection in the middle of the response head.
///   - It crashes the process if a chunked body ends with a trailer field.
///   - It crashes the process if a response redirects to a URL such as `//[::1]/`.
///   - It takes bytes that a server sends without a request for the response to the next request.
///   - It stores the body of a redirection without a limit. Only ``HTTPLimits/deadline`` stops it.
///   - A fast body without end keeps all sessions of the process busy after its cancellation.
///   - It keeps only four connections open, and closes old ones late: the server can see more than
///     ``HTTPLimits/connections`` at a time.
final class URLSessionTransport: StreamingTransport {
  let bodyLength: Int
  private let reads: Mutex<ExchangeSession>
  private let configuration: URLSessionConfiguration
  private let starts = DispatchQueue(label: "URLSessionTransport.starts")

  /// Creates a transport with a copy of `configuration`, without a cache and a cookie storage. Its
  /// request timeout and its connection limit come from `limits`.
  init(limits: HTTPLimits, configuration: URLSessionConfiguration) {
    // On Linux, `copy()` returns the type `Any`.
    guard let configuration = configuration.copy() as? URLSessionConfiguration else {
      preconditionFailure("the copy of a configuration is not a configuration")
    }
    // In the session, because `URLSession` on Linux ignores the timeout of a request.
    configuration.timeoutIntervalForRequest = Self.wholeSeconds(limits.idleTimeout)
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpMaximumConnectionsPerHost = limits.connections
    self.configuration = configuration
    bodyLength = limits.bodyLength
    reads = Mutex(ExchangeSession(configuration))
  }

  /// Ends the session after its requests have finished. Otherwise, it would keep itself alive.
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

  /// The session that requests (on Linux, only reads) share until a receiver stops a response.
  ///
  /// On Linux, a stopped response can keep the delegate queue of its session busy for long.
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

  /// Whether the request needs a new connection. On Linux, every write does: on an idle connection
  /// that the server has closed, `URLSession` sends the request again without its body.
  private static func needsOwnConnection(_ request: URLRequest) -> Bool {
    #if canImport(FoundationNetworking)
      !["GET", "HEAD"].contains(request.httpMethod)
    #else
      false
    #endif
  }

  /// The timeout, rounded up. On Linux, `URLSession` truncates it, so half a second would become 0.
  static func wholeSeconds(_ timeout: Duration) -> TimeInterval {
    // A very long timeout would overflow in `URLSession`. `century` does not.
    let (seconds, attoseconds) = min(timeout, .century).components
    return TimeInterval(attoseconds > 0 ? seconds + 1 : seconds)
  }
}
