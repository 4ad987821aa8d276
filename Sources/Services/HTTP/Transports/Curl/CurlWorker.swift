#if os(Linux)
  import Foundation
  import StorefrontCurl
  import StorefrontDomain
  import Synchronization

  /// Performs transfers on a thread that starts with the first request and ends after ``close()``.
  @safe final class CurlWorker: Sendable {
    private struct Inbox {
      var started: [CurlRequest] = []
      var cancelled: [CurlRequest] = []
      var hasThread = false
      var isClosed = false
    }

    private let inbox = Mutex(Inbox())
    /// The handle that keeps the connections. Only the thread uses it between `init` and `deinit`,
    /// except for `loaded_curl_multi_wakeup`.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    private let idleTimeout: Duration
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Creates a worker, unless the process has too many open files.
    init?(limits: HTTPLimits, now: @escaping @Sendable () -> ContinuousClock.Instant) {
      guard let multi = unsafe loaded_curl_multi_init() else { return nil }
      unsafe self.multi = unsafe multi
      idleTimeout = limits.idleTimeout
      self.now = now
      unsafe loaded_curl_multi_set_long(multi, CurlMultiOption.idleConnections, limits.connections)
      // Without its pair of sockets for this purpose, libcurl could not be woken.
      guard unsafe loaded_curl_multi_wakeup(multi) == 0 else { return nil }
    }

    /// Closes the connections on another thread: closing a TLS connection can block.
    deinit {
      // For the thread sanitizer, which does not see that the last release comes after every other
      // use of `multi`. Each use comes before an unlock.
      inbox.withLock { _ in }
      let multi = unsafe UInt(bitPattern: multi)
      Self.startThread { unsafe loaded_curl_multi_cleanup(UnsafeMutableRawPointer(bitPattern: multi)) }
    }

    func start(_ request: CurlRequest) {
      let needsThread = inbox.withLock { inbox in
        inbox.started.append(request)
        if inbox.hasThread { wake() }
        return !exchange(&inbox.hasThread, with: true)
      }
      if needsThread { Self.startThread { [self] in run() } }
    }

    func cancel(_ request: CurlRequest) {
      inbox.withLock { inbox in
        inbox.cancelled.append(request)
        wake()
      }
    }

    func close() {
      inbox.withLock { inbox in
        inbox.isClosed = true
        wake()
      }
    }

    /// Ends the current or the next wait of the thread. Called under the lock. Never blocks.
    private func wake() { _ = unsafe loaded_curl_multi_wakeup(multi) }

    private func run() {
      var transfers: [ObjectIdentifier: CurlTransfer] = [:]
      let keptSockets = CurlKeptSockets()
      while true {
        let inbox = inbox.withLock { inbox in
          defer {
            inbox.started = []
            inbox.cancelled = []
          }
          return inbox
        }
        for request in inbox.started where request.receiver != nil {
          start(unsafe CurlTransfer(request, in: multi, keptSockets, now: now), &transfers)
        }
        for request in inbox.cancelled { transfers.removeValue(forKey: ObjectIdentifier(request))?.close() }
        perform(&transfers, keptSockets)
        let rest = endIdle(&transfers)
        if transfers.isEmpty, hasEnded { return }
        // Without the pause, an error of the system would make this loop spin.
        if unsafe loaded_curl_multi_poll(multi, rest.pollMilliseconds) != 0 { usleep(1_000) }
      }
    }

    private var hasEnded: Bool { inbox.withLock { $0.isClosed && $0.started.isEmpty } }

    private func start(_ transfer: CurlTransfer, _ transfers: inout [ObjectIdentifier: CurlTransfer]) {
      if transfer.hasStarted {
        transfers[ObjectIdentifier(transfer.request)] = transfer
      } else {
        transfer.end(with: .connectionLost)
      }
    }

    private func perform(
      _ transfers: inout [ObjectIdentifier: CurlTransfer], _ keptSockets: CurlKeptSockets
    ) {
      _ = unsafe loaded_curl_multi_perform(multi)
      var result: CInt = 0
      while let context = unsafe loaded_curl_multi_next_ended(multi, &result) {
        let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        transfers.removeValue(forKey: ObjectIdentifier(transfer.request))
        if transfer.mustStartAgain {
          transfer.close()
          start(
            unsafe CurlTransfer(
              transfer.request, in: multi, keptSockets, needsNewConnection: true, now: now), &transfers)
        } else {
          transfer.end(result)
        }
      }
    }

    /// Ends the idle transfers. Returns the time until the next one may be idle too long.
    private func endIdle(_ transfers: inout [ObjectIdentifier: CurlTransfer]) -> Duration? {
      let now = now()
      var rest: Duration?
      for (id, transfer) in transfers {
        let remaining = idleTimeout - transfer.idleTime(at: now)
        if remaining > .zero {
          rest = min(rest ?? remaining, remaining)
        } else {
          transfers.removeValue(forKey: id)
          transfer.end(with: .timedOut)
        }
      }
      return rest
    }

    /// Runs `body` on a new thread.
    ///
    /// The thread blocks the signal of a write to a closed connection, whose default action ends
    /// the process. The write itself fails, which is enough.
    private static func startThread(_ body: @escaping @Sendable () -> Void) {
      let thread = Thread {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        body()
      }
      thread.name = "CurlTransport"
      thread.start()
    }
  }

  extension Duration? {
    /// Whole milliseconds, rounded up, and at most one minute, which is also the value of `nil`.
    fileprivate var pollMilliseconds: CInt {
      guard let self, self < .seconds(60) else { return 60_000 }
      return CInt((self / .milliseconds(1)).rounded(.up))
    }
  }
#endif
