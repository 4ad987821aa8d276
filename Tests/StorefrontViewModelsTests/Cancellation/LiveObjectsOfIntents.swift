import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The tasks that the async stage starts beside its slots: each is counted, by the name of what it is for.
@Suite("Census of intents", .timeLimit(.minutes(1)), .enabled(if: LiveObjects.areCounted))
struct LiveObjectsOfIntents {
  @Test("a save that nobody waits for is a task until the service has answered, though its screen is gone")
  func save() async throws {
    try await LiveObjects.assertNothingLives {
      let service = ScriptedProfileEditingService()
      let model = ProfileViewModel(service: service)
      let load = await model.load()
      #expect(LiveObjects.current.count[.task, "wait for a profile"] == 1)
      try await service.loads.next().succeed(.ada)
      await load.value
      try await model.edit(.name, to: "Ada Lovelace")
      _ = await model.save()
      #expect(LiveObjects.current.count[.task, "save of a profile"] == 1)
      try await service.saves.next().succeed(.ada)
    }
  }

  @Test("so is a deletion")
  func deletion() async throws {
    try await LiveObjects.assertNothingLives {
      let service = ScriptedPostService()
      let model = PostsViewModel(service: service)
      let load = await model.load()
      try await service.loads.next().succeed(.numbered(1...2))
      await load.value
      _ = await model.delete(1)
      #expect(LiveObjects.current.count[.task, "deletion of a post"] == 1)
      try await service.deletions.next().succeed()
    }
  }

  @Test("so is a change of the cart")
  func change() async throws {
    try await LiveObjects.assertNothingLives {
      let service = ScriptedCartService()
      let model = CartViewModel(service: service)
      let added = model.start(.add(.apple, quantity: 1))
      let call = try await service.calls.next()
      #expect(LiveObjects.current.count[.task, "change of a cart"] == 1)
      call.succeed()
      try await added.value
    }
  }

  @Test("whoever waits for a dashboard is a task, whether or not its task is kept")
  func dashboard() async throws {
    try await LiveObjects.assertNothingLives {
      let service = ReentrantService()
      let model = DashboardViewModel(profile: service, orders: service, recommendations: service)
      await model.load()
      await service.waitForQuestion()
      #expect(LiveObjects.current.count[.task, "wait for a dashboard"] == 1)
      await model.cancel()
    }
  }
}
