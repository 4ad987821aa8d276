import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import Synchronization
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a response does if it is stopped while its transport calls it.
@Suite("Event source response", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct EventSourceResponseTests {
  /// A transport that sends nothing and counts cancellations.
  private final class SilentTransport: StreamingTransport {
    let cancellations = Mutex(0)
    let bodyLength = 0

    func send(_ request: URLRequest, to receiver: any HTTPReceiver) -> CancellationToken {
      CancellationToken { [self] in cancellations.withLock { $0 += 1 } }
    }
  }

  private final class Log: Sendable {
    let events = Mutex<[String]>([])
    let endings = Mutex<[EventSourceResponse.Ending]>([])
  }

  private let transport = SilentTransport()
  private let log = Log()

  private func response(
    onEvent: @escaping @Sendable (ServerSentEvent) throws(ServiceError) -> Void
  ) throws -> EventSourceResponse {
    let url = try #require(URL(string: "http://127.0.0.1/feed"))
    return EventSourceResponse(
      to: URLRequest(url: url), of: EventSourceConnection(EventSourcePolicy()),
      handlers: .init(onActivity: {}, onHead: { _ in }, onOpen: {}, onEvent: onEvent))
  }

  private func start(_ response: EventSourceResponse) -> CancellationToken {
    response.start(with: transport) { [log] result in
      guard case .success(let (ending, connection)) = result else { return }
      log.endings.withLock { $0.append(ending) }
      log.events.withLock { $0.append("end after \(connection.lastEventID ?? "nothing")") }
    }
  }

  @Test("a response that is stopped while it delivers ends after the events of that piece")
  func stoppedWhileDelivering() throws {
    let stopped = Mutex<EventSourceResponse?>(nil)
    let response = try response { [log] event in
      log.events.withLock { $0.append(event.data) }
      stopped.withLock { $0 }?.stop(with: .interrupted(.timedOut))
    }
    stopped.withLock { $0 = response }
    let token = start(response)
    #expect(!response.receive(Data("id: 1\ndata: a\n\nid: 2\ndata: b\n\n".utf8)))
    #expect(log.events.withLock { $0 } == ["a", "b", "end after 2"])
    #expect(log.endings.withLock { $0 } == [.interrupted(.timedOut)])
    #expect(transport.cancellations.withLock { $0 } == 0, "the transport cancels it")
    #expect(!response.receive(Data("data: c\n\n".utf8)), "a response that has ended ignores later bytes")
    response.end(with: nil)
    response.stop(with: .over)
    #expect(log.events.withLock { $0.count } == 3)
    #expect(log.endings.withLock { $0.count } == 1)
    stopped.withLock { $0 = nil }
    withExtendedLifetime(token) {}
  }

  @Test("a response that is stopped before it starts sends no request")
  func stoppedBeforeStart() throws {
    let response = try response { _ in }
    response.stop(with: .interrupted(.timedOut))
    let token = start(response)
    #expect(log.endings.withLock { $0 } == [.interrupted(.timedOut)])
    #expect(token === CancellationToken.finished)
    #expect(transport.cancellations.withLock { $0 } == 0)
  }

  @Test("an event that fails ends the response, and the events after it are not delivered")
  func failure() throws {
    let response = try response { [log] event throws(ServiceError) in
      log.events.withLock { $0.append(event.data) }
      if event.data == "b" { throw .malformed("b") }
    }
    let token = start(response)
    #expect(!response.receive(Data("data: a\n\ndata: b\n\ndata: c\n\n".utf8)))
    #expect(log.events.withLock { $0 } == ["a", "b", "end after nothing"])
    #expect(log.endings.withLock { $0 } == [.failed(.malformed("b"))])
    withExtendedLifetime(token) {}
  }

  @Test("a cancelled or released response is deallocated")
  func lifetime() async throws {
    try await LeakTracker.check { tracker in
      for isCancelled in [true, false] {
        let response = tracker.track(try response { _ in })
        let token = start(response)
        if isCancelled { token.cancel() }
      }
    }
    #expect(transport.cancellations.withLock { $0 } == 2)
  }
}
