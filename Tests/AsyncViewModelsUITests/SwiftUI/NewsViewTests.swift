#if canImport(SwiftUI) && os(Linux)
  import AsyncViewModels
  import AsyncViewModelsTesting
  import SwiftUI
  import Testing

  extension SwiftUITests {
    /// The view of the article `YourFirstViewModel`.
    @MainActor
    @Suite("the view of the first tutorial", .timeLimit(.minutes(5)), .endsWaits)
    struct NewsViewTests {
      private struct Offline: Error {}

      private struct ScriptedNews: NewsService {
        let calls = ScriptedCalls<Void, [String]>()

        func headlines() async throws -> [String] { try await calls(()) }
      }

      private let service = ScriptedNews()

      @Test("the view loads the headlines, and a failed refresh keeps them")
      func refresh() async throws {
        try await withHost(NewsView(service: service)) { host in
          try await host.waitForText("Loading…")
          try await service.calls.next().succeed(["first", "second"])
          try await host.waitForText("second")
          #expect(host.texts == ["first", "second"])
          let refresh = Task { await host.refresh() }
          try await service.calls.next().fail(Offline())
          await refresh.value
          #expect(host.texts == ["first", "second"])
        }
      }

      @Test("the view shows why there are no headlines")
      func noHeadlines() async throws {
        try await withHost(NewsView(service: service)) { host in
          try await service.calls.next().fail(Offline())
          try await host.waitForText("Offline()")
          let refresh = Task { await host.refresh() }
          try await service.calls.next().succeed([])
          await refresh.value
          try await host.waitForText("No news")
        }
      }
    }
  }
#endif
