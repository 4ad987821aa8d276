import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Saves in every stage.
@Suite("Profile: save", .timeLimit(.minutes(5)), .endsWaits)
struct ProfileSaveContract {
  @Test(
    "a save sends the form and the profile's version, and the values are shown before the service answers",
    arguments: ContractStage.allCases)
  func save(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.name, to: " Ada King ")
      let saved = model.save()
      let call = try await service.saves.next()
      #expect(
        call.request == ProfileSave(draft: .init(name: "Ada King", email: Profile.ada.email), version: 1))
      #expect(model.state.content.value?.name == "Ada King")
      #expect(model.state.isSaving)
      #expect(!model.state.canSave)
      call.succeed(call.request.answer)
      try await saved.value
      #expect(model.state.content.value == call.request.answer)
      #expect(!model.state.isSaving)
      #expect(!model.state.isDirty)

      try model.edit(.name, to: "Ada Lovelace")
      let next = model.save()
      let nextCall = try await service.saves.next()
      #expect(nextCall.request.version == 2, "the next save is based on the new version")
      nextCall.succeed(nextCall.request.answer)
      try await next.value
    }
  }

  @Test(
    "an edit right after a save is not in the saved form",
    arguments: ContractStage.native.filter { $0.stage != .async })
  func editAfterSave(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.name, to: "Ada King")
      let saved = model.save()
      try model.edit(.name, to: "Ada Lovelace")
      let call = try await service.saves.next()
      #expect(call.request.draft.name == "Ada King")
      call.succeed(call.request.answer)
      try await saved.value
      #expect(model.state.draft?.name == "Ada Lovelace" && model.state.isDirty)
    }
  }

  @Test("a form without changes is not sent", arguments: ContractStage.allCases)
  func unchanged(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.name, to: Profile.ada.name + " ")
      try await model.save().value
      #expect(service.saves.requests.isEmpty)
    }
  }

  @Test(
    "a refused save is rolled back, and the form keeps the typed text", arguments: ContractStage.allCases)
  func rollBack(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      let states = StateRecorder(model.states())
      try model.edit(.name, to: "Ada King")
      let saved = model.save()
      let call = try await service.saves.next()
      try await states.first { $0.content.value?.name == "Ada King" }
      call.fail(ServiceError.busy)
      await #expect(throws: ServiceError.busy) { try await saved.value }
      try await states.first(from: states.states.count - 1) { $0.content.value == .ada }
      #expect(model.state.draft?.name == "Ada King")
      #expect(model.state.isDirty)
      #expect(model.state.saveFailure as? ServiceError == .busy)

      let again = model.save()
      let second = try await service.saves.next()
      #expect(model.state.saveFailure == nil)
      second.succeed(second.request.answer)
      try await again.value
      #expect(!model.state.isDirty)
    }
  }

  @Test("a value that the service refuses is an error until it is edited", arguments: ContractStage.allCases)
  func refusedField(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.email, to: "taken@example.com")
      let saved = model.save()
      let refusal = ProfileValidationError.refused(.email, reason: "taken")
      try await service.saves.next().fail(ProfileError.invalid(refusal))
      await #expect(throws: ProfileError.invalid(refusal)) { try await saved.value }
      #expect(model.state.errors == [.email: refusal])
      #expect(model.state.content.value == .ada)
      #expect(model.state.saveFailure == nil)
      #expect(model.state.canSave, "the service may accept the value later")
      try model.edit(.email, to: "free@example.com")
      #expect(model.state.errors.isEmpty)
    }
  }

  @Test("a cancellation by the service is not a failure", arguments: ContractStage.inProcess)
  func serviceCancels(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.name, to: "Ada King")
      let saved = model.save()
      try await service.saves.next().fail(CancellationError())
      await #expect(throws: CancellationError.self) { try await saved.value }
      #expect(model.state.content.value == .ada)
      #expect(model.state.saveFailure == nil)
      #expect(model.state.canSave)
    }
  }

  @Test(
    "text that is typed during a save stays, and the form is dirty after the save",
    arguments: ContractStage.allCases)
  func typedDuringSave(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.name, to: "Ada King")
      try model.edit(.email, to: "Ada@Example.com")
      let saved = model.save()
      let call = try await service.saves.next()
      try model.edit(.name, to: "Ada Lovelace")
      let wording = Profile(id: 1, name: "Ada King", email: "ada@example.com", version: 2)
      call.succeed(wording)
      try await saved.value
      #expect(model.state.content.value == wording)
      #expect(model.state.draft == .init(name: "Ada Lovelace", email: "ada@example.com"))
      #expect(model.state.isDirty)
    }
  }

  @Test("during a save, another save and a revert throw an error", arguments: ContractStage.allCases)
  func oneAtATime(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.name, to: "Ada King")
      let saved = model.save()
      let call = try await service.saves.next()
      try model.edit(.name, to: "Ada Lovelace")
      await #expect(throws: ProfileEditError.saveInProgress) { try await model.save().value }
      #expect(throws: ProfileEditError.saveInProgress) { try model.revert() }
      call.succeed(call.request.answer)
      try await saved.value
      #expect(service.saves.requests.count == 1)
      #expect(model.state.draft?.name == "Ada Lovelace")
    }
  }

  @Test("a cancel does not cancel a save", arguments: ContractStage.allCases)
  func cancelWhileSaving(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.name, to: "Ada King")
      let saved = model.save()
      let call = try await service.saves.next()
      await model.cancel()
      #expect(model.state.isSaving)
      #expect(!call.isCancelled)
      call.succeed(call.request.answer)
      try await saved.value
      #expect(model.state.content.value == call.request.answer)
    }
  }

  @Test(
    "a save finishes even if its view model is released and its caller is cancelled",
    arguments: ContractStage.allCases)
  func releasedWhileSaving(stage: ContractStage) async throws {
    try await stage.check { tracker in
      let service = ScriptedProfileEditingService()
      let saved = try await startSave(of: stage.makeProfile(service: service), service, tracker)
      let call = try await service.saves.next()
      saved.cancel()
      #expect(call.isOpen)
      #expect(!call.isCancelled)
      call.succeed(call.request.answer)
      try await saved.value
    }
  }

  @Test(
    "a save reaches a slow service even if the caller of the save is cancelled",
    arguments: MigrationStage.allCases)
  func arrives(stage: MigrationStage) async throws {
    let (script, clock) = (StorefrontScript(), VirtualClock())
    let contents = StorefrontContents(profile: .ada)
    let services = (
      InMemoryStorefront(contents, script: script, clock: clock),
      InMemoryClosureStorefront(contents, script: script, scheduler: clock)
    )
    script.delay(by: .seconds(10), .profileSaving)
    try await LeakTracker.check { tracker in
      let model = stage.makeProfile(service: services.0, closures: services.1)
      tracker.track(model.subject)
      let states = StateRecorder(model.states())
      await model.load()
      try await states.first { $0.content.value == .ada }
      try model.edit(.name, to: "Ada King")
      let saved = model.save()
      await clock.waitForSleepers(1)
      saved.cancel()
      clock.advance(by: .seconds(10))
      try await saved.value
    }
    #expect(try await services.0.profile().name == "Ada King")
  }
}

extension ProfileSave {
  /// The profile that a service returns if it accepts the save.
  var answer: Profile { Profile(id: 1, name: draft.name, email: draft.email, version: version + 1) }
}
