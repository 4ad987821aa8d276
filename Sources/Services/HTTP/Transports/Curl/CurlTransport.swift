#if os(Linux)
  import AsyncViewModels
  import Foundation
  import FoundationNetworking
  import StorefrontCurl
  import StorefrontDomain
  import Synchronization

  /// Sends requests with the libcurl that Foundation's networking has loaded, on its own thread.
  ///
  /// On Linux, `URLSession` is a layer over libcurl as well, but this layer has defects that no code outside it can prevent: see
  /// ``URLSessionTransport``. This transport bypasses that layer, and keeps these guarantees:
  ///
  /// | Topic | Guarantee |
  /// | --- | --- |
  /// | Redirection, status 401 | Returned as responses. |
  /// | Head | At most 256 KB, with all interim responses and trailer fields, and about 100 KB per line. A longer one fails at once. |
  /// | Body | The receiver stops it at any part. libcurl decompresses at most 16 KB at a time, and only once. |
  /// | Read | Shares open connections. If one is stale, libcurl sends the request again over a new one. |
  /// | Bytes without a request | The connection is not used again (libcurl 7.80 or later). |
  /// | Write | Uses a new connection, and is sent once. |
  /// | Idle time | Ends a request with `ServiceError.timedOut` to the millisecond, without rounding. |
  /// | Threads | `send` and cancelling a token never block. Receivers are called on the transport's thread. |
  ///
  /// It speaks HTTP/1.1 over TCP or TLS, and uses the proxies that the environment names, such as `https_proxy`.
  final class CurlTransport: StreamingTransport {
    let bodyLength: Int
    private let makeWorker: @Sendable () -> CurlWorker?
    /// `nil` until a request has found a free file descriptor.
    private let worker = Mutex<CurlWorker?>(nil)

    /// Creates a transport, or returns `nil` if libcurl is not available: it is not loaded, or is older than version 7.68.
    ///
    /// If the process has too many open files, each request fails until one is free.
    ///
    /// - Parameter now: The time that measures idle requests. A test replaces it.
    convenience init?(
      limits: HTTPLimits, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
      guard Self.isAvailable else { return nil }
      self.init(bodyLength: limits.bodyLength) { CurlWorker(limits: limits, now: now) }
    }

    /// Creates a transport whose worker comes from `makeWorker`, which is called for each request until it returns one.
    init(bodyLength: Int, makeWorker: @escaping @Sendable () -> CurlWorker?) {
      self.bodyLength = bodyLength
      self.makeWorker = makeWorker
    }

    /// Foundation must initialize libcurl first. Before version 7.84, two threads must not do this at the same time.
    private static let isAvailable: Bool = {
      URLSession(configuration: .ephemeral).invalidateAndCancel()
      return loaded_curl_is_available()
    }()

    /// Ends the thread after its requests have ended.
    deinit { worker.withLock { $0 }?.close() }

    func send(_ request: URLRequest, to receiver: any HTTPReceiver) -> CancellationToken {
      let current = worker.withLock { worker in
        worker = worker ?? makeWorker()
        return worker
      }
      guard let worker = current else {
        receiver.end(with: .unreachable("the app has too many open files"))
        return .ended
      }
      let request = CurlRequest(request, receiver: receiver)
      worker.start(request)
      return CancellationToken { [weak worker] in
        request.abandon()
        worker?.cancel(request)
      }
    }
  }
#endif
