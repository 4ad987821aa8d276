#if os(Linux)
  import AsyncViewModels
  import Foundation
  import FoundationNetworking
  import StorefrontCurl
  import StorefrontDomain
  import Synchronization

  /// Sends requests with the libcurl that Foundation's networking has loaded, on its own thread.
  ///
  /// On Linux, `URLSession` is a layer over libcurl with defects that no code outside can prevent:
  /// see ``URLSessionTransport``. This transport bypasses the layer:
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
  /// It speaks HTTP/1.1 over TCP or TLS, and uses the proxies of the environment, such as
  /// `https_proxy`.
  final class CurlTransport: StreamingTransport {
    let bodyLength: Int
    private let makeWorker: @Sendable () -> CurlWorker?
    /// `nil` until a request has found a free file descriptor.
    private let worker = Mutex<CurlWorker?>(nil)

    /// Creates a transport, unless libcurl is not loaded or older than version 7.68.
    ///
    /// With too many open files in the process, each request fails until one is free.
    ///
    /// - Parameter now: The time that measures idle requests. A test replaces it.
    convenience init?(
      limits: HTTPLimits, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
      guard Self.isAvailable else { return nil }
      self.init(bodyLength: limits.bodyLength) { CurlWorker(limits: limits, now: now) }
    }

    /// Creates a transport. `makeWorker` is called for each request until it returns a worker.
    init(bodyLength: Int, makeWorker: @escaping @Sendable () -> CurlWorker?) {
      self.bodyLength = bodyLength
      self.makeWorker = makeWorker
    }

    /// Foundation must initialize libcurl first. Before version 7.84, only one thread may do this.
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
        return .finished
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
