import AsyncViewModels
import Foundation
import StorefrontDomain
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Receives one response of an ``EventSource`` while it arrives.
///
/// Completes once, when no call of the transport is processing events. So events of a response
/// never overtake events of an earlier one, even if that was stopped while its transport was
/// delivering.
final class EventSourceResponse: HTTPReceiver {
  enum Ending: Equatable, Sendable {
    /// The stream has ended. The source is requested again.
    case interrupted(ServiceError)
    case redirected(URL)
    /// The server has ended the source with status 204.
    case over
    case failed(ServiceError)
  }

  /// The ending of a response and the state of the source at that moment.
  typealias Result = (ending: Ending, connection: EventSourceConnection)
  typealias Completion = @Sendable (Swift.Result<Result, any Error>) -> Void

  /// What the source does with a response, on a thread of the transport.
  struct Handlers: Sendable {
    let onActivity: @Sendable () -> Void
    let onHead: @Sendable (HTTPURLResponse) -> Void
    /// Called when the head says that the response is the stream.
    let onOpen: @Sendable () -> Void
    let onEvent: @Sendable (ServerSentEvent) throws(ServiceError) -> Void
  }

  private struct Progress {
    /// The state of the source. `nil` while a call of the transport uses it, and after the end.
    var connection: EventSourceConnection?
    /// The ending to complete with when the running call has ended.
    var pending: Ending?
    /// The result, if the response ended before it started.
    var result: Result?
    var completion: Completion?
    var token: CancellationToken?
  }

  private let request: URLRequest
  private let handlers: Handlers
  private let progress: Mutex<Progress>

  init(to request: URLRequest, of connection: EventSourceConnection, handlers: Handlers) {
    self.request = request
    self.handlers = handlers
    progress = Mutex(Progress(connection: connection))
  }

  /// Sends the request. Calls `completion` once, on any thread, unless the token is cancelled
  /// first.
  func start(
    with transport: any StreamingTransport, completion: @escaping Completion
  ) -> CancellationToken {
    let early = progress.withLock { progress in
      if progress.result == nil { progress.completion = completion }
      return progress.result
    }
    if let early {
      completion(.success(early))
      return .finished
    }
    let token = transport.send(request, to: self)
    let isOpen = progress.withLock { progress in
      if progress.completion != nil { progress.token = token }
      return progress.completion != nil
    }
    // The response was stopped while the transport was sending.
    if !isOpen { token.cancel() }
    return token
  }

  /// Ends the response and cancels its request, or lets a call do so that is processing events.
  func stop(with ending: Ending) {
    guard let connection = take(orStopWith: ending) else { return }
    complete(ending, connection) { $0.cancel() }
  }

  func receive(_ head: HTTPURLResponse) -> Bool {
    process { connection in
      handlers.onActivity()
      handlers.onHead(head)
      if let target = Redirection.target(of: head, for: request) { return .redirected(target) }
      let meaning = EventSourceConnection.head(
        status: head.statusCode, contentType: head.value(forHTTPHeaderField: "Content-Type"),
        contentEncoding: head.value(forHTTPHeaderField: "Content-Encoding"))
      switch meaning {
      case .stream:
        handlers.onOpen()
        return nil
      case .end: return .over
      case .reconnect(let error):
        if let requested = RetryAfter.delay(in: head, at: Date()) { connection.wait(for: requested) }
        return .interrupted(error)
      case .fail(let error): return .failed(error)
      }
    }
  }

  func receive(_ part: Data) -> Bool {
    process { connection in
      handlers.onActivity()
      var events: [ServerSentEvent] = []
      do throws(ServiceError) {
        var problem: ServiceError?
        do throws(ServiceError) { try connection.receive(part, into: &events) } catch { problem = error }
        // The events before the error are delivered.
        for event in events { try handlers.onEvent(event) }
        if let problem { throw problem }
        return nil
      } catch {
        return .failed(error)
      }
    }
  }

  func end(with error: ServiceError?) {
    let error = error ?? .connectionLost
    stop(with: EventSourceConnection.reconnects(after: error) ? .interrupted(error) : .failed(error))
  }

  /// Runs `body` with the state of the source. Returns whether the response continues.
  private func process(_ body: (inout EventSourceConnection) -> Ending?) -> Bool {
    guard var connection = take(orStopWith: nil) else { return false }
    let ending = body(&connection)
    let pending = progress.withLock { [connection] progress -> Ending? in
      if let ending = ending ?? progress.pending { return ending }
      progress.connection = connection
      return nil
    }
    guard let pending else { return true }
    // The transport cancels the request, because this method returns `false`. On Linux, cancelling
    // a task of a `URLSession` twice can crash the process.
    complete(pending, connection) { $0.finish() }
    return false
  }

  /// Removes and returns the state of the source. If a call of the transport uses it, stores the
  /// ending for that call and returns `nil`.
  private func take(orStopWith ending: Ending?) -> EventSourceConnection? {
    progress.withLock { progress in
      if progress.connection == nil { progress.pending = progress.pending ?? ending }
      return progress.connection.take()
    }
  }

  private func complete(
    _ ending: Ending, _ connection: EventSourceConnection, _ end: (CancellationToken) -> Void
  ) {
    let (completion, token) = progress.withLock { progress in
      if progress.completion == nil { progress.result = (ending, connection) }
      return (progress.completion.take(), progress.token.take())
    }
    token.map(end)
    completion?(.success((ending, connection)))
  }
}
