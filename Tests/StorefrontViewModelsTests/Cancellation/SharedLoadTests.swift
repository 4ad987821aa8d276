import AsyncViewModels
import AsyncViewModelsTesting
import Testing

/// In the async stage, each caller of a load can be cancelled alone.
///
/// A typed query is searched for even without callers. See ``SearchViewModelTests``.
@Suite("Loads with two callers, async stage", .timeLimit(.minutes(5)), .endsWaits)
struct SharedLoadTests {
  @Test(
    "a cancelled caller returns at once, and the load continues for the other caller",
    arguments: SharedLoad.allCases, [0, 1])
  func oneOfTwoCallers(load: SharedLoad, leaving: Int) async throws {
    try await load.start { model, _, callers, calls in
      callers[leaving].cancel()
      await callers[leaving].value
      #expect(model.shown() == load.feature.all(.loading))
      #expect(!calls.contains { $0.isCancelled })
      for call in calls { call.succeed(1) }
      await callers[1 - leaving].value
      #expect(model.shown() == load.feature.all(.number(1)))
    }
  }

  @Test(
    "if the last caller is cancelled too, the requests are cancelled, and the next load makes new requests",
    arguments: SharedLoad.allCases.filter { $0.feature != .search }, [0, 1])
  func lastCaller(load: SharedLoad, leaving: Int) async throws {
    try await load.start { model, service, callers, late in
      for caller in [callers[leaving], callers[1 - leaving]] {
        #expect(!late.contains { $0.isCancelled })
        caller.cancel()
        await caller.value
      }
      #expect(model.shown() == load.feature.all(.idle))
      #expect(late.allSatisfy { $0.isCancelled })

      let next = await model.begin()
      let calls = try await service.next(load.feature.requestCount)
      for call in late { call.succeed(8) }
      for call in calls { call.succeed(1) }
      await next.value
      #expect(model.shown() == load.feature.all(.number(1)))
    }
  }
}

/// A load of a feature that has two callers.
struct SharedLoad: CaseIterable, Sendable {
  let feature: Feature
  /// Whether the second caller replaces the requests of the first one. Otherwise, it joins the load.
  let isReplaced: Bool

  /// All features. A second caller of a search always replaces the request.
  static let allCases = Feature.allCases.flatMap { feature in
    [true, false].map { SharedLoad(feature: feature, isReplaced: $0) }
  }.filter { $0.isReplaced || $0.feature != .search }

  /// Starts the load for two callers, and passes the callers and the requests in progress to `body`. Then checks that the view model
  /// is released.
  ///
  /// The service ignores cancellation: a caller that waits for the service does not return.
  func start(
    _ body: (
      _ model: Feature.Operations, _ service: ScriptedNumbers, _ callers: [Task<Void, Never>],
      _ calls: [ScriptedCall<Void, Int>]
    ) async throws -> Void
  ) async throws {
    let service = ScriptedNumbers(ignoringCancellation: true)
    try await LeakTracker.check { tracker in
      let model = feature.makeOperations(.async, service)
      tracker.track(model.subject)
      let first = await model.begin()
      var calls = try await service.next(feature.requestCount)
      let second = isReplaced ? await model.replace() : await model.begin()
      if isReplaced {
        for call in calls { call.succeed(9) }
        calls = try await service.next(feature.requestCount)
      }
      try await body(model, service, [first, second], calls)
    }
  }
}

extension SharedLoad: CustomStringConvertible {
  var description: String { "\(feature), \(isReplaced ? "replaced" : "joined")" }
}
