import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import Testing

/// Writes and checks the table of the article about hostile servers.
///
/// To write the table, set the environment variable `ASYNC_VIEW_MODELS_WRITE_ARTICLES` and run these tests.
@Suite("The article about hostile servers", .usesSockets, .serialized, .timeLimit(.minutes(5)))
struct HostileServersArticleTests {
  private static let article = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "Sources/AsyncViewModels/AsyncViewModels.docc/HostileServers.md")
  private static let heading = "| response | read, async | read, closures | write, async | write, closures |"

  @Test("it lists each response with how a read and a write end, in both forms")
  func table() async throws {
    let rows = try await rows()
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let parts = text.components(separatedBy: Self.heading + "\n| --- | --- | --- | --- | --- |\n")
    try #require(parts.count == 2, "the article has no table")
    let table = parts[1].components(separatedBy: "\n\n")[0]
    if ProcessInfo.processInfo.environment["ASYNC_VIEW_MODELS_WRITE_ARTICLES"] != nil {
      try text.replacing(table, with: rows.joined(separator: "\n"))
        .write(to: Self.article, atomically: true, encoding: .utf8)
    } else {
      #expect(Self.withoutTimes(table) == Self.withoutTimes(rows.joined(separator: "\n")))
    }
  }

  private static func withoutTimes(_ table: String) -> String {
    table.replacing(/, [0-9.]+ ms/, with: "").trimmingCharacters(in: .newlines)
  }

  private func rows() async throws -> [String] {
    var rows: [String] = []
    for response in HostileResponse.all {
      var cells = [response.name]
      for isRead in [true, false] {
        for form in [ServiceForm.async, .closure] {
          cells.append(try await Self.cell(response, isRead: isRead, form))
        }
      }
      rows.append("| \(cells.joined(separator: " | ")) |")
    }
    return rows
  }

  /// How a call ends and, unless it ends at its deadline, the shortest time of three calls.
  private static func cell(
    _ response: HostileResponse, isRead: Bool, _ form: ServiceForm
  ) async throws -> String {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 20))
    let clock = VirtualClock()
    let limits = HTTPLimits(idleTimeout: .seconds(600), bodyLength: 256 * 1024)
    let client = try StorefrontClient.http(form, try server.start(), limits: limits, clock: clock)
    var ending = CallEnding.expected(.value)
    var time = Duration.seconds(600)
    for _ in 0..<3 {
      // Without this request, the time of a read would include the time to connect.
      _ = try await client.orders()
      server.fail(next: 2, with: .hostile(response), on: isRead ? "/profile" : "/cart/changes")
      let received = server.requestCount + 1
      async let passed: Void = {
        guard response.read == .timedOut else { return }
        await server.waitForRequests(received)
        clock.advance(by: limits.deadline)
      }()
      time = min(
        time,
        await ContinuousClock().measure {
          ending = await CallEnding {
            if isRead {
              _ = try await client.profile()
            } else {
              try await client.apply(CartChange(product: server.catalog.products[0], delta: 1))
            }
          }
        })
      await passed
      if ending == .expected(.timedOut) { return "timed out, at the deadline" }
      server.emptyCart()
    }
    return "\(ending.text), \(((time / .milliseconds(0.1)).rounded(.up) / 10)) ms"
  }
}

extension CallEnding {
  fileprivate var text: String {
    switch self {
    case .expected(.value): "value"
    case .expected(.status(let code)): "`status(\(code))`"
    case .expected(let ending): "`\(ending)`"
    case .other(let text): text
    }
  }
}
