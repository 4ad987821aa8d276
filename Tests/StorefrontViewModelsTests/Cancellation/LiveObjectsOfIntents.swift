import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// In the async stage, leak checks count the task of a mutation until the task ends. A mutation is a save, a
/// deletion or a change of the cart.
@Suite("Live objects of mutations", .timeLimit(.minutes(5)), .endsWaits, .enabled(if: LiveObjects.areCounted))
struct LiveObjectsOfIntents {
  private static let task = "ChangeCallers"

  @Test("a save is a live task until the service has answered, even if its caller is cancelled")
  func save() async throws {
    try await LiveObjects.assertNothingLives {
      let service = ScriptedProfileEditingService()
      let model = ProfileViewModel(service: service)
      let load = Task { await model.load() }
      try await service.loads.next().succeed(.ada)
      await load.value
      try model.edit(.name, to: "Ada Lovelace")
      let save = Task { try await model.save() }
      let call = try await service.saves.next()
      save.cancel()
      #expect(LiveObjects.current.count[.task, Self.task] == 1)
      call.succeed(.ada)
      try await save.value
    }
  }

  @Test("a deletion is a live task until the service has answered")
  func deletion() async throws {
    try await LiveObjects.assertNothingLives {
      let service = ScriptedPostService()
      let model = PostsViewModel(service: service)
      let load = Task { await model.load() }
      try await service.loads.next().succeed(.numbered(1...2))
      await load.value
      let deletion = Task { try await model.delete(1) }
      let call = try await service.deletions.next()
      #expect(LiveObjects.current.count[.task, Self.task] == 1)
      call.succeed()
      try await deletion.value
    }
  }

  @Test("a change of the cart is a live task until the service has answered")
  func change() async throws {
    try await LiveObjects.assertNothingLives {
      let service = ScriptedCartService()
      let model = CartViewModel(service: service)
      let added = Task { try await model.add(.apple) }
      let call = try await service.calls.next()
      #expect(LiveObjects.current.count[.task, "CartViewModel"] == 1)
      call.succeed()
      try await added.value
    }
  }
}
