import AsyncViewModels
import Dispatch
import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests the values of a server's endpoints, for async callers and for callers with completion handlers.
///
/// A request passes the middleware, the cache of responses and the limit of its origin, in this order. The client follows
/// redirections and sends failed requests again, each time through all of these steps.
final class HTTPClient: Sendable {
  /// The feed of the server.
  let feed: LiveFeed
  private let base: BaseURL
  private let options: HTTPOptions
  private let cache: ResponseCache?
  private let handler: HTTPHandler
  private let decodings = DecodingQueue()
  private let completions = DispatchQueue(label: "HTTPClient.completions")

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

  /// Removes all stored responses.
  func removeCachedResponses() { cache?.removeAll() }

  /// Requests a value and decodes it outside the caller's actor, so that decoding a long response does not
  /// block a UI.
  ///
  /// A cancelled caller does not wait for the transport or the decoding.
  ///
  /// This method does not use `URLSession.data(for:)`. On Linux, `data(for:)` can deadlock if a cancellation
  /// coincides with the response. The cancellation of the task holds a lock of the task and waits for a queue of
  /// `URLSession`. On that queue, `data(for:)` resumes the task, which needs the same lock.
  @concurrent
  func value<Response>(of endpoint: Endpoint<Response>) async throws -> Response {
    // The compiler of Swift 6.3.1 opens the existential type of a local constant here, but not of this property.
    let clock = options.clock
    return try await value(of: endpoint, on: clock)
  }

  private func value<Response>(
    of endpoint: Endpoint<Response>, on clock: some Clock<Duration>
  ) async throws -> Response {
    if let rejection = endpoint.rejection { throw rejection }
    let end = clock.now.advanced(by: min(options.limits.deadline, .longestDelay))
    do {
      return try await withAbandoningDeadline(until: end, clock: clock) { [self] in
        let (answer, isRepeated) = try await HTTPCall.$current.withValue(HTTPCall()) {
          try await self.answer(to: endpoint, until: end, on: clock)
        }
        do {
          return try await decodings.run(bodyLength: answer.body.count) {
            try ResponseDecoding.value(of: endpoint, in: answer, isRepeated: isRepeated)
          }
        } catch {
          cache?.removeResponse(answer)
          throw error
        }
      }
    } catch is DeadlineExceeded {
      throw ServiceError.timedOut
    }
  }

  /// Requests a value. Calls `completion` exactly once, on a serial queue, and never within this call.
  func load<Response>(
    _ endpoint: Endpoint<Response>, completion: @escaping @Sendable (Result<Response, any Error>) -> Void
  ) -> CancellationToken {
    performAsync(completion: completion, on: completions) { [self] in try await value(of: endpoint) }
  }

  /// The response to the endpoint's request, after all redirections and retries, and whether the server may have done what the request
  /// asks for before.
  ///
  /// Each retry sends the same request, with the same key and body.
  ///
  /// - Throws: `ServiceError.redirected(to:)` if the client must not follow a redirection, or another error.
  private func answer<Response, C: Clock<Duration>>(
    to endpoint: Endpoint<Response>, until end: C.Instant, on clock: C
  ) async throws -> (answer: HTTPAnswer, isRepeated: Bool) {
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
      let answer = try outcome.get()
      guard let target = Redirection.target(of: answer.head, for: request) else {
        return (answer, retries.mayHaveArrived)
      }
      guard redirections < Redirection.limit, let next = Redirection.request(after: request, to: target)
      else { throw ServiceError.redirected(to: target.absoluteString.presentable) }
      request = next
      redirections += 1
    }
  }

  /// Sends a request as soon as its origin has a free place.
  private static func send(
    _ request: URLRequest, through limiter: OriginLimiter, _ transport: any HTTPTransport
  ) async throws -> HTTPAnswer {
    try await ResponseDecoding.convertingErrors {
      guard let origin = HTTPOrigin(request.url) else { throw URLError(.unsupportedURL) }
      return try await limiter.withPlace(at: origin) {
        try await withCompletionHandler { transport.send(request, completion: $0) }
      }
    }
  }
}
