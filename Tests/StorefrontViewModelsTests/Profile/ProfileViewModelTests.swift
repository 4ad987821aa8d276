import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What only the async stage of a profile can do.
@Suite("Profile: the async stage alone", .timeLimit(.minutes(1)))
struct ProfileViewModelTests {
  @Test("cancelling the task that a save returned stops nothing")
  func cancelledWaiter() async throws {
    try await withModel { model, service in
      try await model.edit(.name, to: "Ada King")
      let saved = await model.save()
      let call = try await service.saves.next()
      saved.cancel()
      #expect(!call.isCancelled)
      call.succeed(call.request.answer)
      try await saved.value
      #expect(model.state.content.value == call.request.answer)
    }
  }

  @Test("a caller that is cancelled while it waits for its save stops nothing")
  func cancelledCaller() async throws {
    try await withModel { model, service in
      try await model.edit(.name, to: "Ada King")
      let caller = Task { try await model.save().value }
      let call = try await service.saves.next()
      caller.cancel()
      #expect(!call.isCancelled)
      call.succeed(call.request.answer)
      try await caller.value
      #expect(model.state.content.value == call.request.answer)
    }
  }

  @Test("cancelling the task that a load returned stops nothing, and a load that joins ends with the first")
  func joinedLoad() async throws {
    try await LeakTracker.check { tracker in
      let service = ScriptedProfileEditingService()
      let model = tracker.track(ProfileViewModel(service: service))
      let loads = (await model.load(), await model.load())
      loads.0.cancel()
      let call = try await service.loads.next()
      #expect(!call.isCancelled)
      call.succeed(.ada)
      await loads.1.value
      #expect(model.state.content.value == .ada)
    }
  }

  @Test("hosted on the main actor, a form is filled in from there without waiting")
  @MainActor
  func hostedOnMain() async throws {
    let service = ScriptedProfileEditingService()
    let model = ProfileViewModel(service: service, isolation: MainActor.shared)
    let load = loadOnMain(model)
    #expect(model.state.content.isLoading)
    try await service.loads.next().succeed(.ada)
    await load.value
    try typeOnMain("", model)
    #expect(model.state.errors == [.name: .missing(.name)])
  }

  @MainActor
  private func loadOnMain(_ model: ProfileViewModel) -> Task<Void, Never> {
    model.assumeIsolated { $0.load() }
  }

  @MainActor
  private func typeOnMain(_ name: String, _ model: ProfileViewModel) throws {
    try model.assumeIsolated { try $0.edit(.name, to: name) }
  }

  private func withModel(
    _ body: (ProfileViewModel, ScriptedProfileEditingService) async throws -> Void
  ) async throws {
    try await LeakTracker.check { tracker in
      let service = ScriptedProfileEditingService()
      let model = tracker.track(ProfileViewModel(service: service))
      let load = await model.load()
      try await service.loads.next().succeed(.ada)
      await load.value
      try await body(model, service)
    }
  }
}
