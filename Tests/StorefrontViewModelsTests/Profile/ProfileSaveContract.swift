import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What saving promises, in every stage.
@Suite("Profile: save", .timeLimit(.minutes(1)))
struct ProfileSaveContract {
  @Test("a save sends the form and its version, and shows at once", arguments: MigrationStage.allCases)
  func save(stage: MigrationStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try await model.edit(.name, to: " Ada King ")
      let saved = await model.save()
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

      try await model.edit(.name, to: "Ada Lovelace")
      await model.save()
      #expect(try await service.saves.next().request.version == 2, "the next one stands on the new version")
    }
  }

  @Test("a form that says nothing new is not sent", arguments: MigrationStage.allCases)
  func nothingNew(stage: MigrationStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try await model.edit(.name, to: Profile.ada.name + " ")
      try await model.save().value
      #expect(service.saves.requests.isEmpty)
    }
  }

  @Test(
    "what the service refuses is rolled back, and what was typed is kept", arguments: MigrationStage.allCases)
  func rollBack(stage: MigrationStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      let states = StateRecorder(model.states())
      try await model.edit(.name, to: "Ada King")
      let saved = await model.save()
      let call = try await service.saves.next()
      try await states.first { $0.content.value?.name == "Ada King" }
      call.fail(ServiceError.timedOut)
      await #expect(throws: ServiceError.timedOut) { try await saved.value }
      try await states.first(from: states.states.count - 1) { $0.content.value == .ada }
      #expect(model.state.draft?.name == "Ada King")
      #expect(model.state.isDirty)
      #expect(model.state.saveFailure as? ServiceError == .timedOut)

      let again = await model.save()
      let second = try await service.saves.next()
      #expect(model.state.saveFailure == nil)
      second.succeed(second.request.answer)
      try await again.value
      #expect(!model.state.isDirty)
    }
  }

  @Test("a value that the service refuses is named until it is edited", arguments: MigrationStage.allCases)
  func refusedField(stage: MigrationStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try await model.edit(.email, to: "taken@example.com")
      let saved = await model.save()
      let refusal = ProfileValidationError.refused(.email, reason: "taken")
      try await service.saves.next().fail(ProfileError.invalid(refusal))
      await #expect(throws: ProfileError.invalid(refusal)) { try await saved.value }
      #expect(model.state.errors == [.email: refusal])
      #expect(model.state.content.value == .ada)
      #expect(model.state.saveFailure == nil)
      #expect(model.state.canSave, "the service may change its mind")
      try await model.edit(.email, to: "free@example.com")
      #expect(model.state.errors.isEmpty)
    }
  }

  @Test("a cancellation that nobody asked for is no failure", arguments: MigrationStage.allCases)
  func foreignCancellation(stage: MigrationStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try await model.edit(.name, to: "Ada King")
      let saved = await model.save()
      try await service.saves.next().fail(CancellationError())
      await #expect(throws: CancellationError.self) { try await saved.value }
      #expect(model.state.content.value == .ada)
      #expect(model.state.saveFailure == nil)
      #expect(model.state.canSave)
    }
  }

  @Test("what is typed during a save stays, and is dirty", arguments: MigrationStage.allCases)
  func typedMeanwhile(stage: MigrationStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try await model.edit(.name, to: "Ada King")
      try await model.edit(.email, to: "Ada@Example.com")
      let saved = await model.save()
      let call = try await service.saves.next()
      try await model.edit(.name, to: "Ada Lovelace")
      let wording = Profile(id: 1, name: "Ada King", email: "ada@example.com", version: 2)
      call.succeed(wording)
      try await saved.value
      #expect(model.state.content.value == wording)
      #expect(model.state.draft == .init(name: "Ada Lovelace", email: "ada@example.com"))
      #expect(model.state.isDirty)
    }
  }

  @Test("one save is on its way at a time", arguments: MigrationStage.allCases)
  func oneAtATime(stage: MigrationStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try await model.edit(.name, to: "Ada King")
      let saved = await model.save()
      let call = try await service.saves.next()
      try await model.edit(.name, to: "Ada Lovelace")
      await #expect(throws: ProfileEditError.saveUnderWay) { try await model.save().value }
      await #expect(throws: ProfileEditError.saveUnderWay) { try await model.revert() }
      call.succeed(call.request.answer)
      try await saved.value
      #expect(service.saves.requests.count == 1)
      #expect(model.state.draft?.name == "Ada Lovelace")
    }
  }

  @Test("leaving the screen does not call off a save", arguments: MigrationStage.allCases)
  func leaveWhileSaving(stage: MigrationStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try await model.edit(.name, to: "Ada King")
      let saved = await model.save()
      let call = try await service.saves.next()
      await model.leave()
      #expect(model.state.isSaving)
      #expect(!call.isCancelled)
      call.succeed(call.request.answer)
      try await saved.value
      #expect(model.state.content.value == call.request.answer)
    }
  }

  @Test("the end of the view model does not call off a save", arguments: MigrationStage.allCases)
  func goneWhileSaving(stage: MigrationStage) async throws {
    var saved: Task<Void, any Error>?
    var call: ScriptedCall<ProfileSave, Profile>?
    try await withLoadedProfile(stage) { model, service in
      try await model.edit(.name, to: "Ada King")
      saved = await model.save()
      call = try await service.saves.next()
    }
    let open = try #require(call)
    #expect(open.isOpen)
    #expect(!open.isCancelled)
    open.succeed(open.request.answer)
    try await saved?.value
  }

  @Test("a save that is slower than its screen arrives", arguments: MigrationStage.allCases)
  func arrives(stage: MigrationStage) async throws {
    let (script, clock) = (StorefrontScript(), VirtualClock())
    let contents = StorefrontContents(profile: .ada)
    let services = (
      InMemoryStorefront(contents, script: script, clock: clock),
      InMemoryClosureStorefront(contents, script: script, scheduler: clock)
    )
    script.delay(by: .seconds(10), .profileSaving)
    var saved: Task<Void, any Error>?
    try await LeakTracker.check { tracker in
      let model = stage.makeProfile(service: services.0, closures: services.1)
      tracker.track(model.subject)
      let states = StateRecorder(model.states())
      await model.load()
      try await states.first { $0.content.value == .ada }
      try await model.edit(.name, to: "Ada King")
      saved = await model.save()
      await clock.waitForSleepers(1)
    }
    clock.advance(by: .seconds(10))
    try await saved?.value
    #expect(try await services.0.profile().name == "Ada King")
  }

  @Test(
    "a save arrives over HTTP, though the screen and its storefront are gone",
    arguments: MigrationStage.allCases)
  func arrivesOverHTTP(stage: MigrationStage) async throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 1))
    let url = try server.start()
    var saved: Task<Void, any Error>?
    try await LeakTracker.check { tracker in
      let model = stage.makeProfile(
        service: HTTPStorefront(baseURL: url), closures: HTTPClosureStorefront(baseURL: url))
      tracker.track(model.subject)
      let states = StateRecorder(model.states())
      await model.load()
      try await states.first { $0.content.value == server.catalog.profile }
      try await model.edit(.name, to: "Ada King")
      server.fail(with: .hold)
      saved = await model.save()
      await server.waitForRequests(2)
    }
    server.release()
    try await saved?.value
    #expect(server.profile.name == "Ada King")
  }
}

extension ProfileSave {
  /// What a service makes of it that has nothing against it.
  var answer: Profile { Profile(id: 1, name: draft.name, email: draft.email, version: version + 1) }
}
