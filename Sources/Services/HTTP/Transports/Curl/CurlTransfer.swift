#if os(Linux)
  import Foundation
  import FoundationNetworking
  import StorefrontCurl
  import StorefrontDomain

  /// One request that libcurl performs. Only the thread of its ``CurlWorker`` uses it.
  @safe final class CurlTransfer {
    let handle: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    let request: CurlRequest
    private var headers: UnsafeMutableRawPointer?
    private var head = ResponseHead()
    private var isStopped = false
    private let keptSockets: CurlKeptSockets
    private let needsNewConnection: Bool
    /// Whether libcurl has chosen a connection that must not be used. Nothing has been sent.
    private(set) var mustStartAgain = false
    private var failure: ServiceError?
    private let now: @Sendable () -> ContinuousClock.Instant
    private var lastProgress: ContinuousClock.Instant
    private var transferredBytes: Int64 = 0

    /// Starts the request. Fails with ``failure`` if libcurl cannot start it.
    ///
    /// - Parameter needsNewConnection: Whether a read must use a new connection, as a write does.
    init(
      _ request: CurlRequest, in multi: UnsafeMutableRawPointer, _ keptSockets: CurlKeptSockets,
      needsNewConnection: Bool = false, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
      guard let handle = unsafe loaded_curl_easy_init() else { preconditionFailure("libcurl has no memory") }
      unsafe self.handle = unsafe handle
      unsafe self.multi = unsafe multi
      self.request = request
      self.keptSockets = keptSockets
      self.needsNewConnection = needsNewConnection
      self.now = now
      lastProgress = now()
      setUp()
      if unsafe loaded_curl_multi_add(multi, handle) != 0 { failure = .connectionLost }
    }

    var hasStarted: Bool { failure == nil }

    /// Stops the transfer if it has not ended. The connection of a complete transfer stays open.
    func close() {
      unsafe loaded_curl_multi_remove(multi, handle)
      unsafe loaded_curl_easy_cleanup(handle)
      unsafe loaded_curl_list_free(headers)
    }

    /// Closes the transfer, and ends the response with libcurl's result.
    func end(_ result: CInt) {
      keepSocket()
      let systemError = CInt(unsafe loaded_curl_easy_get_long(handle, CurlInfo.systemError))
      if isStopped {
        end(with: nil)
      } else if let failure {
        end(with: failure)
      } else if result != 0 {
        end(with: CurlFailure.error(result, systemError: systemError))
      } else {
        // libcurl also reports success if the connection ends within the head.
        end(with: head.isFinal ? nil : .connectionLost)
      }
    }

    /// Ends the response, and then closes the transfer, which can take long: libcurl before version
    /// 7.87 waits for the resolution of a name.
    func end(with error: ServiceError?) {
      request.takeReceiver()?.end(with: error)
      close()
    }

    /// Whether the request can be sent over the connection with these ports.
    private func mayStart(_ ports: CurlKeptSockets.Ports) -> Bool {
      let isUnclean = keptSockets.takeUnclean(ports)
      mustStartAgain = isUnclean && !needsNewConnection
      return !mustStartAgain
    }

    /// Records the socket of the connection, if libcurl keeps it.
    private func keepSocket() {
      let socket = unsafe loaded_curl_easy_get_socket(handle)
      guard socket >= 0 else { return }
      keptSockets.insert(
        socket,
        unsafe .init(
          local: loaded_curl_easy_get_long(handle, CurlInfo.localPort),
          remote: loaded_curl_easy_get_long(handle, CurlInfo.remotePort)))
    }

    /// The time since the start, or since the last byte that was sent or received.
    func idleTime(at now: ContinuousClock.Instant) -> Duration {
      let bytes =
        unsafe loaded_curl_easy_get_offset(handle, CurlInfo.uploadedBytes)
        + loaded_curl_easy_get_offset(handle, CurlInfo.downloadedBytes)
      if exchange(&transferredBytes, with: bytes) != bytes { lastProgress = now }
      return now - lastProgress
    }

    private func receive(headLine: UnsafeRawBufferPointer) -> Bool {
      lastProgress = now()
      guard unsafe head.append(headLine) else {
        if head.isTooLong { failure = .malformed("its head is too long") }
        return !head.isTooLong
      }
      let status = unsafe loaded_curl_easy_get_long(handle, CurlInfo.status)
      // No request asks for another protocol, so a response that switches to one is final, too.
      guard status >= 200 || status == 101, let url = request.request.url,
        let response = HTTPURLResponse(
          url: url, statusCode: status, httpVersion: head.version, headerFields: head.fields)
      else { return true }
      guard !head.hasNestedEncodings else {
        failure = .malformed("its body is encoded more than once")
        return false
      }
      guard !head.hasAmbiguousLength else {
        failure = .malformed("the length of its body is ambiguous")
        return false
      }
      head.isFinal = true
      return proceed { $0.receive(response) }
    }

    private func receive(body: UnsafeRawBufferPointer) -> Bool {
      lastProgress = now()
      return head.isFinal && proceed { unsafe $0.receive(Data(body)) }
    }

    private func proceed(_ receive: (any HTTPReceiver) -> Bool) -> Bool {
      isStopped = !(request.receiver.map(receive) ?? false)
      return !isStopped
    }
  }

  extension CurlTransfer {
    private func setUp() {
      let isRead = ["GET", "HEAD"].contains(request.request.httpMethod ?? "GET")
      set(CurlOption.url, request.request.url?.absoluteString ?? "")
      set(CurlOption.protocols, CurlOption.httpAndHTTPS)
      set(CurlOption.httpVersion, CurlOption.http1_1)
      set(CurlOption.pathAsIs, 1)
      set(CurlOption.noSignal, 1)
      set(CurlOption.hideHeadsOfProxies, 1)
      if request.request.value(forHTTPHeaderField: "Accept-Encoding") == nil {
        set(CurlOption.acceptedEncodings, "")
      }
      // Closing waits for no resolution of a name. libcurl before version 7.87 ignores this.
      set(CurlOption.quickExit, 1)
      // On a stale connection, libcurl would send the request again.
      set(CurlOption.freshConnection, isRead && !needsNewConnection ? 0 : 1)
      set(CurlOption.forbidReuse, isRead ? 0 : 1)
      setMethodAndBody()
      setHeaders()
      setReceivers()
    }

    private func setMethodAndBody() {
      let method = request.request.httpMethod ?? "GET"
      let body = request.request.httpBody
      if method == "HEAD" { return set(CurlOption.noBody, 1) }
      if body != nil || method == "POST" {
        set(CurlOption.post, 1)
        unsafe loaded_curl_easy_set_offset(handle, CurlOption.bodyLength, Int64(body?.count ?? 0))
        set(CurlOption.copiedBody, body ?? Data())
      }
      set(CurlOption.method, method.singleLine)
    }

    private func setHeaders() {
      for line in CurlHeaders.lines(of: request.request) {
        unsafe headers = loaded_curl_list_append(headers, line)
      }
      unsafe loaded_curl_easy_set_pointer(handle, CurlOption.headers, headers)
    }

    private func setReceivers() {
      // The worker keeps the transfer until it has removed the handle.
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      unsafe loaded_curl_easy_set_pointer(handle, CurlOption.context, context)
      unsafe loaded_curl_easy_set_pointer(handle, CurlOption.headContext, context)
      unsafe loaded_curl_easy_set_pointer(handle, CurlOption.bodyContext, context)
      // libcurl before version 7.80 ignores this option.
      unsafe loaded_curl_easy_set_pointer(handle, CurlOption.startContext, context)
      unsafe loaded_curl_easy_set_starter(handle, CurlOption.starter) {
        context, _, _, remotePort, localPort in
        guard let context = unsafe context else { return 1 }
        let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.mayStart(.init(local: Int(localPort), remote: Int(remotePort))) ? 0 : 1
      }
      unsafe loaded_curl_easy_set_receiver(handle, CurlOption.headReceiver) { bytes, size, count, context in
        unsafe CurlTransfer.receive(bytes, size * count, context) { unsafe $0.receive(headLine: $1) }
      }
      unsafe loaded_curl_easy_set_receiver(handle, CurlOption.bodyReceiver) { bytes, size, count, context in
        unsafe CurlTransfer.receive(bytes, size * count, context) { unsafe $0.receive(body: $1) }
      }
    }

    /// Returns the number of bytes, or another number to stop the transfer.
    private static func receive(
      _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
      _ receive: (CurlTransfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
      guard let context = unsafe context else { return 0 }
      let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      let proceeds = unsafe receive(transfer, UnsafeRawBufferPointer(start: bytes, count: count))
      return proceeds ? count : count &+ 1
    }

    private func set(_ option: CInt, _ value: Int) {
      unsafe loaded_curl_easy_set_long(handle, option, value)
    }

    private func set(_ option: CInt, _ value: String) {
      set(option, Data(value.utf8 + [0]))
    }

    /// Sets an option whose bytes libcurl copies.
    private func set(_ option: CInt, _ value: Data) {
      // Without an address, libcurl would ask a callback for the body. Empty data has no address.
      unsafe (value.isEmpty ? Data([0]) : value).withUnsafeBytes {
        _ = unsafe loaded_curl_easy_set_pointer(handle, option, $0.baseAddress)
      }
    }
  }
#endif
