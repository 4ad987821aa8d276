import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import Testing

/// Writes and checks the tables of the article about hostile servers.
///
/// To write the tables, set the environment variable `ASYNC_VIEW_MODELS_WRITE_ARTICLES` and run these tests.
@Suite("The article about hostile servers", .usesSockets, .serialized, .timeLimit(.minutes(5)), .endsWaits)
struct HostileServersArticleTests {
  /// Something that can happen to a call.
  private struct Situation: Sendable {
    let name: String
    /// What the server does. `nil` if it answers as usual.
    var fault: LoopbackFault?
    /// The URL that the client uses, made from that of the server.
    var url: @Sendable (URL) -> URL = { $0 }
    /// Whether the caller cancels the call when the server has received it.
    var isCancelled = false
    /// Whether the call ends at its deadline.
    var timesOut = false
  }

  private static let article = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "Sources/AsyncViewModels/AsyncViewModels.docc/HostileServers.md")

  @Test("it lists each response with how a read and a write end, in both forms")
  func responses() async throws {
    let situations = HostileResponse.all.map {
      Situation(name: $0.name, fault: .hostile($0), timesOut: $0.read == .timedOut)
    }
    try await Self.check("response", situations)
  }

  @Test(
    "it lists the other faults of a server and of a network with how a read and a write end, in both forms")
  func others() async throws {
    try await Self.check(
      "fault",
      [
        Situation(name: "no server at the port") { _ in URL(string: "http://127.0.0.1:1")! },
        Situation(name: "no such host") { _ in URL(string: "http://shop.invalid")! },
        Situation(name: "a server without TLS at an https URL") { url in
          URL(string: url.absoluteString.replacing("http:", with: "https:"))!
        },
        Situation(name: "the caller cancels while the server is silent", fault: .hold, isCancelled: true),
        Situation(name: "a server that is silent", fault: .hold, timesOut: true),
        Situation(name: "a server that answers after 5 ms", fault: .delay(.milliseconds(5))),
        Situation(name: "a 503 of the service", fault: .status(503)),
        Situation(name: "a 429 with a time to wait", fault: .retryLater(429, after: "1")),
        Situation(name: "the body of another service", fault: .body(#"{"ok":true}"#)),
        Situation(name: "a write that is still in progress", fault: .stillInProgress(after: "1")),
        Situation(name: "the connection closes without an answer", fault: .drop),
        Situation(name: "the connection closes after half of the body", fault: .truncate),
        Situation(name: "the connection closes after 20 bytes", fault: .cut(after: 20)),
        Situation(name: "the connection is reset after 20 bytes", fault: .cut(after: 20, isReset: true)),
      ])
  }

  /// Compares the table with this heading with how the calls end. Ignores the times, because they depend on the machine.
  private static func check(_ heading: String, _ situations: [Situation]) async throws {
    var rows: [String] = []
    for situation in situations {
      var cells = [situation.name]
      for isRead in [true, false] {
        for form in [ServiceForm.async, .closure] { cells.append(try await cell(situation, isRead, form)) }
      }
      rows.append("| \(cells.joined(separator: " | ")) |")
    }
    let text = try String(contentsOf: article, encoding: .utf8)
    let parts = text.components(
      separatedBy: "| \(heading) | read, async | read, closures | write, async | write, closures |\n"
        + "| --- | --- | --- | --- | --- |\n")
    try #require(parts.count == 2, "the article has no table \"\(heading)\"")
    let table = parts[1].components(separatedBy: "\n\n")[0]
    if ProcessInfo.processInfo.environment["ASYNC_VIEW_MODELS_WRITE_ARTICLES"] != nil {
      try text.replacing(table, with: rows.joined(separator: "\n"))
        .write(to: article, atomically: true, encoding: .utf8)
    } else {
      #expect(withoutTimes(table) == withoutTimes(rows.joined(separator: "\n")))
    }
  }

  private static func withoutTimes(_ table: String) -> String {
    table.replacing(/, [0-9.]+ ms/, with: "").trimmingCharacters(in: .newlines)
  }

  /// How a call ends and, unless it ends at its deadline, the shortest time of three calls. The time of a call that is cancelled begins
  /// with the cancellation.
  private static func cell(_ situation: Situation, _ isRead: Bool, _ form: ServiceForm) async throws -> String
  {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 20))
    let clock = VirtualClock()
    let limits = HTTPLimits(idleTimeout: .seconds(600), bodyLength: 256 * 1024)
    let url = try server.start()
    let client = try StorefrontClient.http(form, situation.url(url), limits: limits, clock: clock)
    var (ending, time) = (CallEnding.expected(.value), Duration.seconds(600))
    for _ in 0..<3 {
      // Without this request, the time of a read would include the time to connect.
      if situation.url(url) == url { _ = try await client.orders() }
      if let fault = situation.fault {
        server.fail(next: 2, with: fault, on: isRead ? "/profile" : "/cart/changes")
      }
      let received = server.requestCount + 1
      var start = ContinuousClock.now
      let call = Task {
        let ending = await CallEnding {
          if isRead {
            _ = try await client.profile()
          } else {
            try await client.apply(CartChange(product: server.catalog.products[0], delta: 1))
          }
        }
        return (ending, ContinuousClock.now)
      }
      if situation.isCancelled || situation.timesOut { await server.waitForRequests(received) }
      if situation.timesOut { clock.advance(by: limits.deadline) }
      if situation.isCancelled {
        start = .now
        call.cancel()
      }
      let (result, end) = await call.value
      (ending, time) = (result, min(time, end - start))
      server.release()
      if ending == .expected(.timedOut) { return "timed out, at the deadline" }
      server.emptyCart()
    }
    return "\(ending.text), \(((time / .milliseconds(0.1)).rounded(.up) / 10)) ms"
  }
}

extension CallEnding {
  /// The ending, as an article shows it.
  fileprivate var text: String {
    switch self {
    case .expected(.value): "value"
    case .expected(.status(let code)): "`status(\(code))`"
    case .expected(let ending): "`\(ending)`"
    case .other(let text): "`\(text)`"
    }
  }
}
