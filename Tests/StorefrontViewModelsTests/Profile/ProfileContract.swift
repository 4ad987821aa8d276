import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// What the profile's screen promises when it loads and is edited, in every stage.
@Suite("Profile", .timeLimit(.minutes(1)))
struct ProfileContract {
  @Test(
    "the first state is idle, and nothing is requested before somebody asks",
    arguments: MigrationStage.allCases)
  func firstState(stage: MigrationStage) async throws {
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service) { model in
      let first = try await StateRecorder(model.states()).first { _ in true }
      #expect(first.content.isIdle)
      #expect(first.draft == nil)
      #expect(service.loads.requests.isEmpty)
    }
  }

  @Test(
    "a load shows that it loads, then the profile and a form that says the same",
    arguments: MigrationStage.allCases)
  func load(stage: MigrationStage) async throws {
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service) { model in
      let states = StateRecorder(model.states())
      await model.load()
      let call = try await service.loads.next()
      try await states.first { $0.content.isLoading }
      call.succeed(.ada)
      try await states.first { $0.content.value == .ada }
      #expect(model.state.draft == Profile.Draft(.ada))
      #expect(!model.state.isDirty)
      #expect(!model.state.canSave)
      #expect(model.state.errors.isEmpty)
    }
  }

  @Test("a load that failed can be tried again", arguments: MigrationStage.allCases)
  func failure(stage: MigrationStage) async throws {
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service) { model in
      await model.load()
      try await service.loads.next().fail(ServiceError.timedOut)
      await model.settle()
      #expect(model.state.content.error as? ServiceError == .timedOut)
      await model.load()
      try await service.loads.next().succeed(.ada)
      await model.settle()
      #expect(model.state.content.value == .ada)
    }
  }

  @Test("a hundred concurrent loads make one request", arguments: MigrationStage.allCases)
  func singleFlight(stage: MigrationStage) async throws {
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service) { model in
      await withTaskGroup { group in
        for _ in 0..<100 { group.addTask { await model.load() } }
      }
      try await service.loads.next().succeed(.ada)
      await model.settle()
      await model.load()
      await model.settle()
      #expect(service.loads.requests.count == 1, "what is there is not loaded again")
    }
  }

  @Test(
    "leaving while it loads calls the load off, and it can be loaded again",
    arguments: MigrationStage.allCases)
  func leaveWhileLoading(stage: MigrationStage) async throws {
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service) { model in
      await model.load()
      let call = try await service.loads.next()
      await model.leave()
      #expect(model.state.content.isIdle)
      await call.waitForCancellation()

      await model.load()
      try await service.loads.next().succeed(.ada)
      await model.settle()
      #expect(model.state.content.value == .ada)
    }
  }

  @Test(
    "after leaving nothing is published, even by a service that answers all the same",
    arguments: MigrationStage.allCases)
  func lateAnswer(stage: MigrationStage) async throws {
    let service = ScriptedProfileEditingService(ignoringCancellation: true)
    try await withProfile(stage, service) { model in
      let states = StateRecorder(model.states())
      await model.load()
      let late = try await service.loads.next()
      await model.leave()
      late.succeed(.adaElsewhere)
      await model.settle()
      #expect(model.state.content.isIdle)

      await model.load()
      try await service.loads.next().succeed(.ada)
      try await states.first { $0.content.value == .ada }
      #expect(!states.states.contains { $0.content.value == .adaElsewhere })
    }
  }

  @Test("a screen that goes away while it loads cancels its request", arguments: MigrationStage.allCases)
  func goneWhileLoading(stage: MigrationStage) async throws {
    let service = ScriptedProfileEditingService()
    let call = try await withProfile(stage, service) { model in
      await model.load()
      return try await service.loads.next()
    }
    await call.waitForCancellation()
  }

  @Test("an edit is dirty, and a value that is edited back is not", arguments: MigrationStage.allCases)
  func dirty(stage: MigrationStage) async throws {
    try await withLoadedProfile(stage) { model, _ in
      try await model.edit(.name, to: "Ada King")
      #expect(model.state.draft?.name == "Ada King")
      #expect(model.state.isDirty)
      #expect(model.state.canSave)
      #expect(model.state.content.value == .ada, "what is shown is what is saved")

      try await model.edit(.email, to: "ada@king.example")
      try await model.edit(.name, to: Profile.ada.name)
      #expect(model.state.isDirty)
      try await model.edit(.email, to: "  \(Profile.ada.email) ")
      #expect(!model.state.isDirty, "spaces around a value do not count")
      #expect(!model.state.canSave)
    }
  }

  @Test("a form can be put back", arguments: MigrationStage.allCases)
  func revert(stage: MigrationStage) async throws {
    try await withLoadedProfile(stage) { model, _ in
      try await model.edit(.name, to: "")
      try await model.edit(.email, to: "x")
      try await model.revert()
      #expect(model.state.draft == Profile.Draft(.ada))
      #expect(!model.state.isDirty)
      #expect(model.state.errors.isEmpty)
    }
  }

  @Test(
    "each wrong field is named, and a form with wrong fields is not sent", arguments: MigrationStage.allCases)
  func validation(stage: MigrationStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try await model.edit(.email, to: "ada at home")
      #expect(model.state.errors == [.email: .malformedEmail("ada at home")])
      #expect(!model.state.canSave)
      try await model.edit(.name, to: "  ")
      let wrong = [ProfileValidationError.missing(.name), .malformedEmail("ada at home")]
      await #expect(throws: ProfileEditError.invalid(wrong)) { try await model.save().value }
      #expect(service.saves.requests.isEmpty)
      #expect(model.state.draft == Profile.Draft(name: "  ", email: "ada at home"), "nothing typed is lost")
      #expect(!model.state.isSaving)

      try await model.edit(.name, to: "Ada")
      #expect(model.state.errors.keys.elementsEqual([.email]))
    }
  }

  @Test(
    "where there is no profile yet, there is nothing to edit, save or decide",
    arguments: MigrationStage.allCases)
  func notLoaded(stage: MigrationStage) async throws {
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service) { model in
      let expected = ProfileEditError.notLoaded
      await #expect(throws: expected) { try await model.edit(.name, to: "Ada") }
      await #expect(throws: expected) { try await model.revert() }
      await #expect(throws: expected) { try await model.save().value }
      await #expect(throws: expected) { try await model.resolve(.keepingMine).value }
      #expect(model.state.content.isIdle)
      #expect(service.saves.requests.isEmpty)
    }
  }

  @Test("a profile that goes away ends its streams", arguments: MigrationStage.allCases)
  func ownerEnd(stage: MigrationStage) async throws {
    guard stage != .closure else { return }  // a callback has no end: see the facts about the closure stage
    var states: StateRecorder<ProfileState>?
    try await withLoadedProfile(stage) { model, _ in states = StateRecorder(model.states()) }
    let seen = try await states?.waitForEnd()
    #expect(seen?.last?.content.value == .ada)
  }
}
