import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The async stage of a profile: cancelled callers, and edits on the main actor.
@Suite("Profile, async stage", .timeLimit(.minutes(5)), .endsWaits)
struct ProfileViewModelTests {
  @Test("a save continues if its caller is cancelled, and the caller still gets the result")
  func cancelledCaller() async throws {
    try await withModel { model, service in
      try model.edit(.name, to: "Ada King")
      let caller = Task { try await model.save() }
      let call = try await service.saves.next()
      caller.cancel()
      #expect(!call.isCancelled)
      call.succeed(call.request.answer)
      try await caller.value
      #expect(model.state.content.value == call.request.answer)
    }
  }

  @Test("an edit on the main actor is in the state when the call returns, on any isolation")
  @MainActor
  func typing() async throws {
    for isolation in [MainActor.shared, nil] as [(any Actor)?] {
      let service = ScriptedProfileEditingService()
      let model = ProfileViewModel(service: service, isolation: isolation)
      let load = Task { await model.load() }
      try await service.loads.next().succeed(.ada)
      await load.value
      try model.edit(.name, to: "")
      #expect(model.state.errors == [.name: .missing(.name)])
    }
  }

  private func withModel(
    _ body: (ProfileViewModel, ScriptedProfileEditingService) async throws -> Void
  ) async throws {
    try await LeakTracker.check { tracker in
      let service = ScriptedProfileEditingService()
      let model = tracker.track(ProfileViewModel(service: service))
      let load = Task { await model.load() }
      try await service.loads.next().succeed(.ada)
      await load.value
      try await body(model, service)
    }
  }
}
