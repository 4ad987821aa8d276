import AsyncViewModels
import Dispatch
import Foundation
import StorefrontDomain
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests the values of a server's endpoints.
///
/// A request passes the middleware, the cache of responses and the limit of its origin, in this
/// order. The client follows redirections and sends failed requests again, each time through all of
/// these steps.
final class HTTPClient: Sendable {
  let feed: LiveFeed
  private let base: BaseURL
  private let options: HTTPOptions
  private let cache: ResponseCache?
  private let handler: HTTPHandler
  private let decodings = DecodingQueue()
  /// The keys of the writes that the server may have made, and has not answered.
  private let unanswered = Mutex(RecentEntries<IdempotencyKey, Bool>(costLimit: 1_000))
  /// Concurrent: a completion handler that blocks must not delay the others past their deadlines.
  private let completions = DispatchQueue(label: "HTTPClient.completions", attributes: .concurrent)

  /// Creates a client of the server at `baseURL`.
  ///
  /// - Parameter transport: The transport, or `nil` for the ``DefaultTransport``.
  /// - Throws: ``BaseURLError`` if `baseURL` breaks one of the rules in ``BaseURLError/Reason``.
  init(
    baseURL: URL, options: HTTPOptions, transport: (any HTTPTransport)? = nil
  ) throws(BaseURLError) {
    base = try BaseURL(baseURL)
    self.options = options
    cache = options.cacheSize > 0 ? ResponseCache(size: options.cacheSize, options.memoryPressure) : nil
    let makeTransport = { @Sendable [limits = options.limits, configuration = options.configuration] in
      transport ?? DefaultTransport.transport(limits: limits, configuration: configuration)
    }
    feed = LiveFeed(
      base: base, makeTransport: makeTransport, middleware: options.middleware,
      policy: EventSourcePolicy(idleTime: options.limits.idleTimeout), clock: options.clock)
    let transport = makeTransport()
    let limiter = OriginLimiter(limit: options.limits.connections)
    let steps = options.middleware + (cache.map { [$0] } ?? [])
    handler = steps.handler { request in try await Self.send(request, through: limiter, transport) }
  }

  var needsAllPageItems: Bool { options.needsAllPageItems }

  func removeCachedResponses() { cache?.removeAll() }

  /// Requests a value and decodes it outside the caller's actor. A cancelled caller does not wait.
  ///
  /// Does not use `URLSession.data(for:)`, which can deadlock on Linux if a cancellation coincides
  /// with the response: the cancellation holds a lock of the task and waits for a queue of
  /// `URLSession`, on which `data(for:)` resumes the task, which needs the lock.
  func value<Response>(of endpoint: Endpoint<Response>) async throws -> Response {
    // Before the first suspension: the user can change while the call waits for a thread.
    let account = AccountVersion.current
    return try await AccountVersion.runUnbound { try await value(of: endpoint, for: account) }
  }

  @concurrent
  private func value<Response>(
    of endpoint: Endpoint<Response>, for account: AccountVersion
  ) async throws -> Response {
    // Swift 6.3.1 opens the existential type of a local constant here, but not of this property.
    let clock = options.clock
    return try await value(of: endpoint, for: account, on: clock)
  }

  private func value<Response>(
    of endpoint: Endpoint<Response>, for account: AccountVersion, on clock: some Clock<Duration>
  ) async throws -> Response {
    if let rejection = endpoint.rejection { throw rejection }
    let wasSent = noteWrite(endpoint.key)
    let end = clock.now.advanced(by: min(options.limits.deadline, .century))
    do {
      return try await withAbandoningDeadline(until: end, clock: clock) { [self] in
        // A call within the middleware of another call may need its place.
        HTTPCall.current?.leavePlace()
        let call = HTTPCall(account)
        defer { call.leavePlace() }
        let (response, isRepeated) = try await HTTPCall.$current.withValue(call) {
          try await self.response(to: endpoint, until: end, on: clock)
        }
        do {
          let value = try await decodings.run(bodyLength: response.body.count) {
            try ResponseDecoding.value(of: endpoint, in: response, isRepeated: isRepeated || wasSent)
          }
          noteResponse(to: endpoint.key)
          return value
        } catch {
          if (error as? ServiceError)?.isRefusal ?? !(error is CancellationError) {
            noteResponse(to: endpoint.key)
          }
          cache?.removeResponse(response)
          throw error
        }
      }
    } catch is DeadlineExceeded {
      throw ServiceError.timedOut
    }
  }

  /// Records that a write is sent. Returns whether an earlier call has sent it and got no response.
  private func noteWrite(_ key: IdempotencyKey?) -> Bool {
    guard let key else { return false }
    return unanswered.withLock { writes in
      let wasSent = writes.use(key) != nil
      if !wasSent { _ = writes.insert(true, for: key, cost: 1) }
      return wasSent
    }
  }

  /// Records that the server has made or refused a write.
  private func noteResponse(to key: IdempotencyKey?) {
    guard let key else { return }
    unanswered.withLock { _ = $0.remove(key) }
  }

  /// Requests a value. Calls `completion` once, on a concurrent queue, and never within this call.
  func load<Response>(
    _ endpoint: Endpoint<Response>, completion: @escaping @Sendable (Result<Response, any Error>) -> Void
  ) -> CancellationToken {
    let account = AccountVersion.current
    return AccountVersion.runUnbound {
      CancellationToken.run(completion: completion, on: completions) { [self] in
        try await value(of: endpoint, for: account)
      }
    }
  }

  /// The response after all redirections and retries, and whether an earlier request may have had
  /// the effect. Each retry sends the same request, with the same key and body.
  private func response<Response, C: Clock<Duration>>(
    to endpoint: Endpoint<Response>, until end: C.Instant, on clock: C
  ) async throws -> (response: TransportResponse, isRepeated: Bool) {
    var request = endpoint.request(to: base)
    var redirections = 0
    var retries = HTTPRetries(options.retry, using: options.makeGenerator())
    while true {
      let outcome = await Result { [request] in
        try await ResponseDecoding.namingErrors(of: endpoint) { try await handler(request) }
      }
      if let delay = retries.delay(after: outcome, to: request, at: options.now()),
        delay < clock.now.duration(to: end)
      {
        try await clock.sleep(until: clock.now.advanced(by: delay), tolerance: nil)
        continue
      }
      let response = try outcome.get()
      guard let target = Redirection.target(of: response.head, for: request) else {
        return (response, retries.mayHaveArrived)
      }
      guard redirections < Redirection.limit, let next = Redirection.request(after: request, to: target)
      else { throw ServiceError.redirected(to: target.withoutSecrets.presentable) }
      request = next
      redirections += 1
    }
  }

  /// Sends a request as soon as its origin has a free place.
  private static func send(
    _ request: URLRequest, through limiter: OriginLimiter, _ transport: any HTTPTransport
  ) async throws -> TransportResponse {
    try await ResponseDecoding.convertingErrors {
      try request.checkMethod()
      guard let origin = HTTPOrigin(request.url) else { throw URLError(.unsupportedURL) }
      let call = HTTPCall.current
      // A call that sends again does not need its earlier response.
      call?.leavePlace()
      return try await limiter.withPlace(at: origin, keptBy: { call?.keep($1, for: $0.body) ?? false }) {
        try await withCompletionHandler { transport.send(request, completion: $0) }
      }
    }
  }
}
