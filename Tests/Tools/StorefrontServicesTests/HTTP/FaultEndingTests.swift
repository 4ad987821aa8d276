import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import Testing

/// How a read and a write end if a server, a network or the caller fails. `HostileServersTests` has the responses of hostile servers.
@Suite("A fault of a server or a network", .usesSockets, .serialized, .timeLimit(.minutes(5)), .endsWaits)
struct FaultEndingTests {
  /// Something that can happen to a call.
  struct Situation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// How a read ends.
    let read: CallEnding
    /// How a write ends.
    let write: CallEnding
    /// What the server does. `nil` if it answers as usual.
    var fault: LoopbackFault?
    /// The URL that the client uses, made from that of the server.
    var url: @Sendable (URL) -> URL = { $0 }
    /// Whether the caller cancels the call when the server has received it.
    var isCancelled = false

    /// - Parameter write: How a write ends, or `nil` if it ends as a read does.
    init(
      _ name: String, _ read: CallEnding, write: CallEnding? = nil, fault: LoopbackFault? = nil,
      isCancelled: Bool = false, url: @escaping @Sendable (URL) -> URL = { $0 }
    ) {
      (testDescription, self.read, self.write) = (name, read, write ?? read)
      (self.fault, self.isCancelled, self.url) = (fault, isCancelled, url)
    }

    static let all = [
      Situation("no server at the port", .other("unreachable")) { _ in URL(string: "http://127.0.0.1:1")! },
      Situation("no such host", .other("unreachable")) { _ in URL(string: "http://shop.invalid")! },
      Situation("a server without TLS at an https URL", .other("insecure")) { url in
        URL(string: url.absoluteString.replacing("http:", with: "https:"))!
      },
      Situation(
        "the caller cancels while the server is silent", .other("CancellationError"), fault: .hold,
        isCancelled: true),
      Situation("a server that is silent", .expected(.timedOut), fault: .hold),
      Situation("a server that answers after 5 ms", .expected(.value), fault: .delay(.milliseconds(5))),
      Situation("a 503 of the service", .expected(.status(503)), fault: .status(503)),
      Situation("a 429 with a time to wait", .expected(.status(429)), fault: .retryLater(429, after: "1")),
      Situation("the body of another service", .expected(.malformed), fault: .body(#"{"ok":true}"#)),
      Situation(
        "a write that is still in progress", .expected(.status(409)), write: .expected(.stillInProgress),
        fault: .stillInProgress(after: "1")),
      Situation("the connection closes without an answer", .expected(.connectionLost), fault: .drop),
      Situation("the connection closes after half of the body", .expected(.connectionLost), fault: .truncate),
      Situation("the connection closes after 20 bytes", .expected(.connectionLost), fault: .cut(after: 20)),
      Situation(
        "the connection is reset after 20 bytes", .expected(.connectionLost),
        fault: .cut(after: 20, isReset: true)),
    ]
  }

  @Test("a read ends as described, in both forms", arguments: Situation.all, ServiceForm.allCases)
  func read(situation: Situation, form: ServiceForm) async throws {
    let ending = try await Self.ending(situation, form, on: "/profile") { client, _ in
      _ = try await client.profile()
    }
    #expect(ending == situation.read)
  }

  @Test("a write ends as described, in both forms", arguments: Situation.all, ServiceForm.allCases)
  func write(situation: Situation, form: ServiceForm) async throws {
    let ending = try await Self.ending(situation, form, on: "/cart/changes") { client, server in
      try await client.apply(CartChange(product: server.catalog.products[0], delta: 1))
    }
    #expect(ending == situation.write)
  }

  private static func ending(
    _ situation: Situation, _ form: ServiceForm, on path: String,
    of call: @escaping @Sendable (StorefrontClient, LoopbackHTTPServer) async throws -> Void
  ) async throws -> CallEnding {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 20))
    let clock = VirtualClock()
    let limits = HTTPLimits(idleTimeout: .seconds(600), bodyLength: 256 * 1024)
    let url = try server.start()
    let client = try StorefrontClient.http(form, situation.url(url), limits: limits, clock: clock)
    // With a connection that is already open, if the client reaches the server.
    if situation.url(url) == url { _ = try await client.orders() }
    if let fault = situation.fault { server.fail(next: 2, with: fault, on: path) }
    let received = server.requestCount + 1
    let task = Task { await CallEnding { try await call(client, server) } }
    let timesOut = situation.read == .expected(.timedOut)
    if situation.isCancelled || timesOut { await server.waitForRequests(received) }
    if timesOut { clock.advance(by: limits.deadline) }
    if situation.isCancelled { task.cancel() }
    let ending = await task.value
    server.release()
    return ending
  }
}
