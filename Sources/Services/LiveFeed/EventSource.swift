import AsyncViewModels
import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests a stream of server-sent events again and again, until it ends, fails or is cancelled.
///
/// See ``EventSourceConnection`` for the rules, ``Redirection`` for a server that redirects the
/// request, and ``EventSourceExchange`` for the middleware. Each attempt begins with the original
/// URL.
///
/// - Isolation: Handlers are called one at a time. `onEvent` and the state ``State/open`` come on a
///   thread of the transport, so they must return quickly. Other states come in the task of the
///   source.
struct EventSource: Sendable {
  enum State: Equatable, Sendable {
    case connecting
    /// The server has begun a stream.
    case open
    /// Waits for this time before it connects again, because of this error.
    case waiting(Duration, after: ServiceError)
  }

  private let url: URL
  private let transport: any StreamingTransport
  private let middleware: [any HTTPMiddleware]
  private let policy: EventSourcePolicy
  private let clock: any Clock<Duration>
  private let generator: any RandomNumberGenerator & Sendable

  /// Creates a source. Each run uses a copy of `generator` for its random waits.
  init(
    url: URL, transport: any StreamingTransport, middleware: [any HTTPMiddleware] = [],
    policy: EventSourcePolicy, clock: any Clock<Duration>,
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.url = url
    self.transport = transport
    self.middleware = middleware
    self.policy = policy
    self.clock = clock
    self.generator = generator
  }

  /// Receives the events until the server ends the source with status 204.
  ///
  /// - Cancellation: Throws `CancellationError` at once. A running handler continues.
  /// - Throws: `ServiceError` if the source fails, or the error of `onEvent`.
  @concurrent
  func run(
    onState: @escaping @Sendable (State) -> Void,
    onEvent: @escaping @Sendable (ServerSentEvent) throws(ServiceError) -> Void
  ) async throws {
    // Swift 6.3.1 opens the existential type of a local constant here, but not of this property.
    let clock = clock
    var generator = generator
    var connection = EventSourceConnection(policy)
    while true {
      onState(.connecting)
      connection.begin()
      let (ending, next) = try await attempt(connection, on: clock, onState, onEvent)
      connection = next
      switch ending {
      case .over: return
      case .failed(let error): throw error
      case .redirected(let target): throw ServiceError.redirected(to: target.withoutSecrets.presentable)
      case .interrupted(let error):
        guard let delay = connection.delay(using: &generator) else { throw error }
        onState(.waiting(delay, after: error))
        try await clock.sleep(for: delay)
      }
    }
  }

  /// Requests the stream once, with all redirections that are allowed.
  private func attempt(
    _ connection: EventSourceConnection, on clock: some Clock<Duration>,
    _ onState: @escaping @Sendable (State) -> Void,
    _ onEvent: @escaping @Sendable (ServerSentEvent) throws(ServiceError) -> Void
  ) async throws -> EventSourceResponse.Result {
    let exchange = EventSourceExchange(
      of: connection, with: transport, idleTime: min(policy.idleTime, .century), clock: clock,
      onOpen: { onState(.open) }, onEvent: onEvent)
    let handler = middleware.handler { request in try await exchange.send(request) }
    var request = request(after: connection.lastEventID)
    var redirections = 0
    while true {
      let result = try await exchange.result { [request] in try await handler(request) }
      guard case .redirected(let target) = result.ending, redirections < Redirection.limit,
        let next = Redirection.request(after: request, to: target)
      else { return result }
      request = next
      redirections += 1
    }
  }

  private func request(after lastEventID: String?) -> URLRequest {
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    request.httpMethod = "GET"
    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
    // A few compressed bytes could become a stream without end.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    if let lastEventID { request.setValue(lastEventID, forHTTPHeaderField: "Last-Event-ID") }
    return request
  }
}
