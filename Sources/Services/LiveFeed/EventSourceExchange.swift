import AsyncViewModels
import Foundation
import StorefrontDomain
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends the request of one attempt through the middleware, and receives the stream.
///
/// The middleware sees the head of each response as soon as it has arrived, with an empty body. The
/// last response that it requests decides how the attempt ends. A further request stops the earlier
/// response.
final class EventSourceExchange<C: Clock>: Sendable where C.Duration == Duration {
  private struct Running: Sendable {
    let response: EventSourceResponse
    let task: Task<EventSourceResponse.Result, any Error>
  }

  private struct Guarded {
    var connection: EventSourceConnection
    var running: Running?
  }

  private let transport: any StreamingTransport
  private let idleTime: Duration
  private let clock: C
  private let onOpen: @Sendable () -> Void
  private let onEvent: @Sendable (ServerSentEvent) throws(ServiceError) -> Void
  private let guarded: Mutex<Guarded>

  init(
    of connection: EventSourceConnection, with transport: any StreamingTransport, idleTime: Duration,
    clock: C,
    onOpen: @escaping @Sendable () -> Void,
    onEvent: @escaping @Sendable (ServerSentEvent) throws(ServiceError) -> Void
  ) {
    self.transport = transport
    self.idleTime = idleTime
    self.clock = clock
    self.onOpen = onOpen
    self.onEvent = onEvent
    guarded = Mutex(Guarded(connection: connection))
  }

  /// Runs the middleware, and then waits for the end of the last response that it has requested.
  func result(
    of middleware: () async throws -> TransportResponse
  ) async throws -> EventSourceResponse.Result {
    switch await Result(catching: middleware) {
    case .success:
      guard let running = guarded.withLock({ $0.running }) else {
        let problem = ServiceError.malformed("the middleware has not sent the request")
        return (.failed(problem), try await stop())
      }
      return try await withTaskCancellationHandler {
        try await running.task.value
      } onCancel: {
        running.task.cancel()
      }
    case .failure(let error):
      let connection = try await stop()
      try Task.checkCancellation()
      return (Self.ending(after: error), connection)
    }
  }

  /// Sends a request, and returns the head of its response while the response continues.
  ///
  /// - Throws: `ServiceError` if the response ends without a head.
  func send(_ request: URLRequest) async throws -> TransportResponse {
    try request.checkMethod()
    var connection = try await stop()
    connection.discardIncompleteEvent()
    let timer = IdleTimer(limit: idleTime, clock: clock)
    let (heads, head) = AsyncStream.makeStream(of: HTTPURLResponse.self)
    let response = EventSourceResponse(
      to: request, of: connection,
      handlers: .init(
        onActivity: { timer.restart() }, onHead: { head.yield($0) },
        onOpen: { [onOpen] in
          timer.begin()
          onOpen()
        }, onEvent: onEvent))
    let task = Task { [transport] in
      defer { head.finish() }
      return try await Self.result(of: response, with: transport, timer)
    }
    guarded.withLock { $0.running = Running(response: response, task: task) }
    if let head = await heads.first(where: { _ in true }) { return (Data(), head) }
    try Task.checkCancellation()
    switch try await task.value.ending {
    case .interrupted(let error), .failed(let error): throw error
    case .over, .redirected: throw ServiceError.connectionLost
    }
  }

  private static func result(
    of response: EventSourceResponse, with transport: any StreamingTransport, _ timer: IdleTimer<C>
  ) async throws -> EventSourceResponse.Result {
    // When this scope ends, the timer is cancelled and awaited.
    async let _: Void = {
      try await timer.waitForSilence()
      response.stop(with: .interrupted(.timedOut))
    }()
    var result = try await withCompletionHandler { response.start(with: transport, completion: $0) }
    result.connection.end(afterActivityFor: timer.activeTime)
    return result
  }

  /// Stops the running response, and returns the state of the source after it.
  private func stop() async throws -> EventSourceConnection {
    guard let running = guarded.withLock({ $0.running.take() }) else {
      return guarded.withLock { $0.connection }
    }
    running.response.stop(with: .interrupted(.connectionLost))
    let connection = try await running.task.value.connection
    guarded.withLock { $0.connection = connection }
    return connection
  }

  /// How an attempt ends after an error of the transport or the middleware.
  private static func ending(after error: any Error) -> EventSourceResponse.Ending {
    switch error {
    case let error as ServiceError:
      EventSourceConnection.reconnects(after: error) ? .interrupted(error) : .failed(error)
    case let error as TokenRefreshError:
      // Without a network, the feed tries again. Any other reason is that of the refused request.
      if let cause = error.cause as? ServiceError, EventSourceConnection.reconnects(after: cause) {
        .interrupted(cause)
      } else {
        .failed(.status(code: 401, message: "\(error)".presentable))
      }
    case let error as URLError:
      ending(after: ServiceError(error, isSecure: false, hasHead: false))
    // The middleware has cancelled its own work, because this task is not cancelled.
    case is CancellationError: .interrupted(.connectionLost)
    // Not the text of the error, which can contain a secret.
    default: .failed(.unreachable("the middleware has failed with \(type(of: error))".presentable))
    }
  }
}
