import AsyncViewModelsTesting
import Testing

/// The code of the article `YourFirstTest` of `AsyncViewModelsTesting`, which uses no view model of the toolkit.
@Suite("Article: your first test", .timeLimit(.minutes(5)))
enum YourFirstTestTests {
  actor SuggestionModel {
    private(set) var suggestions: [String] = []
    private let clock: any Clock<Duration>
    private let find: @Sendable (String) async throws -> [String]
    private var calls = 0

    init(
      clock: any Clock<Duration> = ContinuousClock(),
      find: @escaping @Sendable (String) async throws -> [String]
    ) {
      self.clock = clock
      self.find = find
    }

    func type(_ text: String) async throws {
      calls += 1
      let call = calls
      try await clock.sleep(for: .milliseconds(300))
      guard call == calls else { return }
      let found = try await find(text)
      if call == calls { suggestions = found }
    }
  }

  @Suite("suggestions", .timeLimit(.minutes(5)), .endsWaits)
  struct SuggestionTests {
    @Test("only the last text is sent, after the pause")
    func pause() async throws {
      let (clock, service) = (VirtualClock(), ScriptedCalls<String, [String]>())
      let model = SuggestionModel(clock: clock) { try await service($0) }
      async let first: Void = model.type("s")
      await clock.waitForSleepers(1)
      async let second: Void = model.type("swift")
      await clock.waitForSleepers(2)
      clock.advance(by: .milliseconds(300))
      try await service.next().succeed(["Swift 7"])
      _ = try await (first, second)
      #expect(service.requests == ["swift"])
      #expect(await model.suggestions == ["Swift 7"])
    }

    @Test("a late answer does not replace a newer one")
    func lateAnswer() async throws {
      let (clock, service) = (VirtualClock(), ScriptedCalls<String, [String]>())
      let model = SuggestionModel(clock: clock) { try await service($0) }
      async let first: Void = model.type("s")
      await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(300))
      let late = try await service.next()
      async let second: Void = model.type("swift")
      await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(300))
      try await service.next().succeed(["Swift 7"])
      try await second
      late.succeed(["Saturday"])
      try await first
      #expect(await model.suggestions == ["Swift 7"])
    }

    @Test("a search leaves nothing in memory")
    func memory() async throws {
      let clock = VirtualClock()
      try await LeakTracker.check { tracker in
        let model = tracker.track(SuggestionModel(clock: clock) { _ in ["Swift 7"] })
        async let search: Void = model.type("swift")
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(300))
        try await search
      }
    }
  }

  @Test("the test decides when the pause ends, and what the service answers")
  static func landingPage() async throws {
    let (clock, service) = (VirtualClock(), ScriptedCalls<String, [String]>())
    let model = SuggestionModel(clock: clock) { try await service($0) }
    async let search: Void = model.type("swift")
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(300))
    try await service.next().succeed(["Swift 7"])
    try await search
    #expect(await model.suggestions == ["Swift 7"])
  }

  @Test("the code of this file contains the examples of the catalog, in the same order")
  static func examples() throws {
    let catalog = "Sources/AsyncViewModelsTesting/AsyncViewModelsTesting.docc"
    try expectExamples(
      of: "\(catalog)/YourFirstTest.md", in: "YourFirstTestTests.swift",
      except: { $0.contains("PackageDescription") })
    try expectExamples(of: "\(catalog)/AsyncViewModelsTesting.md", in: "YourFirstTestTests.swift")
  }
}
