import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Loading and editing of the profile in every stage.
@Suite("Profile", .timeLimit(.minutes(5)), .endsWaits)
struct ProfileContract {
  @Test(
    "the first state is idle, and nothing is requested before the first load",
    arguments: ContractStage.allCases)
  func firstState(stage: ContractStage) async throws {
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service) { model in
      let first = try await StateRecorder(model.states()).first { _ in true }
      #expect(first.content.isIdle)
      #expect(first.draft == nil)
      #expect(service.loads.requests.isEmpty)
    }
  }

  @Test(
    "a load shows the loading state, then the profile and an unedited form",
    arguments: ContractStage.allCases)
  func load(stage: ContractStage) async throws {
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

  @Test("a failed load can be repeated", arguments: ContractStage.allCases)
  func failure(stage: ContractStage) async throws {
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service) { model in
      await model.load()
      try await service.loads.next().fail(ServiceError.busy)
      await model.settle()
      #expect(model.state.content.error as? ServiceError == .busy)
      try await loadProfile(model, service)
      #expect(model.state.content.value == .ada)
    }
  }

  @Test("100 concurrent loads make one request", arguments: ContractStage.allCases)
  func singleFlight(stage: ContractStage) async throws {
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service) { model in
      await withTaskGroup { group in
        for _ in 0..<100 { group.addTask { await model.load() } }
      }
      try await service.loads.next().succeed(.ada)
      await model.settle()
      await model.load()
      await model.settle()
      #expect(service.loads.requests.count == 1, "a loaded profile is not loaded again")
    }
  }

  @Test(
    "a cancelled load restores the idle state, and the profile can be loaded again",
    arguments: ContractStage.allCases)
  func cancel(stage: ContractStage) async throws {
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service) { model in
      await model.load()
      let call = try await service.loads.next()
      await model.cancel()
      #expect(model.state.content.isIdle)
      await call.waitForCancellation()

      try await loadProfile(model, service)
      #expect(model.state.content.value == .ada)
    }
  }

  @Test(
    "a refresh keeps the old profile until the new one arrives, and keeps the edited fields",
    arguments: ContractStage.allCases)
  func refresh(stage: ContractStage) async throws {
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service) { model in
      try await loadProfile(model, service)
      try model.edit(.name, to: "Ada King")
      await model.refresh()
      let call = try await service.loads.next()
      #expect(model.state.isRefreshing)
      #expect(model.state.content.value == .ada)
      call.succeed(.adaElsewhere)
      await model.settle()
      #expect(model.state.content.value == .adaElsewhere)
      #expect(model.state.draft?.name == "Ada King")
      #expect(!model.state.isRefreshing)
    }
  }

  @Test(
    "after a cancel, a late answer is not published",
    arguments: ContractStage.allCases)
  func lateAnswer(stage: ContractStage) async throws {
    let service = ScriptedProfileEditingService(ignoringCancellation: true)
    try await withProfile(stage, service) { model in
      let states = StateRecorder(model.states(.unbounded))
      await model.load()
      let late = try await service.loads.next()
      await model.cancel()
      late.succeed(.adaElsewhere)
      await model.settle()
      #expect(model.state.content.isIdle)

      await model.load()
      try await service.loads.next().succeed(.ada)
      try await states.first { $0.content.value == .ada }
      #expect(!states.states.contains { $0.content.value == .adaElsewhere })
    }
  }

  @Test(
    "a view model that is deallocated during a load cancels its request", arguments: ContractStage.allCases)
  func deallocatedWhileLoading(stage: ContractStage) async throws {
    let service = ScriptedProfileEditingService()
    let call = try await withProfile(stage, service) { model in
      await model.load()
      return try await service.loads.next()
    }
    await call.waitForCancellation()
  }

  @Test("an edited form is dirty until its values are edited back", arguments: ContractStage.allCases)
  func dirty(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, _ in
      try model.edit(.name, to: "Ada King")
      #expect(model.state.draft?.name == "Ada King")
      #expect(model.state.isDirty)
      #expect(model.state.canSave)
      #expect(model.state.content.value == .ada, "the content is the saved profile")

      try model.edit(.email, to: "ada@king.example")
      try model.edit(.name, to: Profile.ada.name)
      #expect(model.state.isDirty)
      try model.edit(.email, to: "  \(Profile.ada.email) ")
      #expect(!model.state.isDirty, "spaces around a value do not count")
      #expect(!model.state.canSave)
    }
  }

  @Test("a revert restores the profile in the form", arguments: ContractStage.allCases)
  func revert(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, _ in
      try model.edit(.name, to: "")
      try model.edit(.email, to: "x")
      try model.revert()
      #expect(model.state.draft == Profile.Draft(.ada))
      #expect(!model.state.isDirty)
      #expect(model.state.errors.isEmpty)
    }
  }

  @Test(
    "each invalid field is named, and an invalid form is not sent", arguments: ContractStage.allCases)
  func validation(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.email, to: "ada at home")
      #expect(model.state.errors == [.email: .malformedEmail("ada at home")])
      #expect(!model.state.canSave)
      try model.edit(.name, to: "  ")
      let wrong = [ProfileValidationError.missing(.name), .malformedEmail("ada at home")]
      await #expect(throws: ProfileEditError.invalid(wrong)) { try await model.save().value }
      #expect(service.saves.requests.isEmpty)
      #expect(model.state.draft == Profile.Draft(name: "  ", email: "ada at home"), "the typed text is kept")
      #expect(!model.state.isSaving)

      try model.edit(.name, to: "Ada")
      #expect(model.state.errors.keys.elementsEqual([.email]))
    }
  }

  @Test(
    "before the profile is loaded, every intent of the form throws an error",
    arguments: ContractStage.allCases)
  func notLoaded(stage: ContractStage) async throws {
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service) { model in
      let expected = ProfileEditError.notLoaded
      #expect(throws: expected) { try model.edit(.name, to: "Ada") }
      #expect(throws: expected) { try model.revert() }
      await #expect(throws: expected) { try await model.save().value }
      await #expect(throws: expected) { try await model.resolve(.keepingMine).value }
      #expect(model.state.content.isIdle)
      #expect(service.saves.requests.isEmpty)
    }
  }

  @Test(
    "streams yield the last state and end when the profile is deallocated",
    arguments: ContractStage.streams
  )
  func ownerEnd(stage: ContractStage) async throws {
    var states: StateRecorder<ProfileState>?
    try await withLoadedProfile(stage) { model, _ in states = StateRecorder(model.states()) }
    let seen = try await states?.waitForEnd()
    #expect(seen?.last?.content.value == .ada)
  }
}
