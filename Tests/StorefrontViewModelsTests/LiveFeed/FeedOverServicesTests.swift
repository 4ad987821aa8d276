import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// A list and a screen that follow the feed of a server, with the services of an app.
@Suite("Live updates over HTTP", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct FeedOverServicesTests {
  private let server = LoopbackHTTPServer(catalog: .seeded(count: 4))
  private let options: HTTPOptions

  init() throws {
    // The limits are longer than a test.
    options = HTTPOptions(
      limits: HTTPLimits(idleTimeout: .seconds(100_000)), retry: .none, clock: VirtualClock())
  }

  @Test(
    "a list shows updates of both pages, also those from before it was created",
    arguments: MigrationStage.allCases)
  func list(stage: MigrationStage) async throws {
    let url = try server.start()
    server.publish(.price(1, 11))
    server.publish(.price(3, 33))
    try await LeakTracker.check { tracker in
      let async = try HTTPStorefront(baseURL: url, options: options)
      let closures = try HTTPClosureStorefront(baseURL: url, options: options)
      let model = stage.makeList(
        service: async, closures: closures, feed: async, closureFeed: closures, pageSize: 2)
      tracker.track(model.subject)
      let states = StateRecorder(model.states())
      await model.load()
      try await states.first { $0.items.first?.price.minorUnits == 11 }
      await server.waitForOpenedFeeds(1)
      // The feed has delivered this update before the list shows the next one.
      server.publish(.price(4, 44))
      server.publish(.price(2, 22))
      try await states.first { $0.items.last?.price.minorUnits == 22 }
      await model.loadNextPage()
      try await states.first { $0.items.count == 4 }
      server.publish(.price(3, 34))
      try await states.first { $0.items[safe: 2]?.price.minorUnits == 34 }
      withExtendedLifetime((async, closures)) {}
    }
    await server.waitForNoFeeds()
  }

  @Test("a screen shows updates of its product", arguments: MigrationStage.allCases)
  func detail(stage: MigrationStage) async throws {
    let url = try server.start()
    try await LeakTracker.check { tracker in
      let async = try HTTPStorefront(baseURL: url, options: options)
      let closures = try HTTPClosureStorefront(baseURL: url, options: options)
      let model = stage.makeDetail(
        itemID: 2, source: .list, service: async, closures: closures, feed: async, closureFeed: closures)
      tracker.track(model.subject)
      let states = StateRecorder(model.states())
      await model.load()
      server.publish(.price(1, 11))
      server.publish(.price(2, 22))
      try await states.first { $0.content.value?.price.minorUnits == 22 }
      withExtendedLifetime((async, closures)) {}
    }
    await server.waitForNoFeeds()
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
