import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Conflicts with a profile that was saved elsewhere, in every stage.
@Suite("Profile: conflict", .timeLimit(.minutes(5)), .endsWaits)
struct ProfileConflictContract {
  @Test(
    "a conflict is shown, keeps the draft, and prevents a save until the user chooses",
    arguments: ContractStage.allCases)
  func conflict(stage: ContractStage) async throws {
    try await withConflict(stage) { model, service in
      #expect(model.state.conflict == .adaElsewhere)
      #expect(model.state.draft?.name == "Ada King")
      #expect(model.state.content.value == .ada)
      #expect(model.state.isDirty)
      #expect(!model.state.canSave)
      #expect(model.state.saveFailure == nil)
      let undecided = ProfileEditError.unresolvedConflict(current: .adaElsewhere)
      await #expect(throws: undecided) { try await model.save().value }
      #expect(service.saves.requests.count == 1)
    }
  }

  @Test(
    "the choice `keepingTheirs` replaces the form with the service's profile",
    arguments: ContractStage.allCases)
  func theirs(stage: ContractStage) async throws {
    try await withConflict(stage) { model, service in
      try await model.resolve(.keepingTheirs).value
      #expect(model.state.content.value == .adaElsewhere)
      #expect(model.state.draft == Profile.Draft(.adaElsewhere))
      #expect(model.state.conflict == nil)
      #expect(!model.state.isDirty)
      #expect(service.saves.requests.count == 1, "nothing is sent")
    }
  }

  @Test(
    "the choice `keepingMine` saves the form over the service's profile", arguments: ContractStage.allCases)
  func mine(stage: ContractStage) async throws {
    try await withConflict(stage) { model, service in
      let saved = model.resolve(.keepingMine)
      let call = try await service.saves.next()
      #expect(
        call.request
          == ProfileSave(
            draft: .init(name: "Ada King", email: Profile.ada.email), version: Profile.adaElsewhere.version))
      #expect(model.state.conflict == nil)
      #expect(model.state.isSaving)
      call.succeed(call.request.answer)
      try await saved.value
      #expect(model.state.content.value == call.request.answer)
      #expect(!model.state.isDirty)
    }
  }

  @Test(
    "the choice `keepingMine` can lead to another conflict, and the draft is kept",
    arguments: ContractStage.allCases)
  func mineAgain(stage: ContractStage) async throws {
    try await withConflict(stage) { model, service in
      let saved = model.resolve(.keepingMine)
      let newer = Profile(id: 1, name: "Countess", email: Profile.ada.email, version: 9)
      try await service.saves.next().fail(ProfileError.conflict(current: newer))
      await #expect(throws: ProfileError.conflict(current: newer)) { try await saved.value }
      #expect(model.state.conflict == newer)
      #expect(
        model.state.content.value == .adaElsewhere, "the content is the version on which the save was based")
      #expect(model.state.draft?.name == "Ada King")
    }
  }

  @Test(
    "for an invalid form, the choice `keepingMine` throws an error, and the conflict stays",
    arguments: ContractStage.allCases)
  func invalidMine(stage: ContractStage) async throws {
    try await withConflict(stage) { model, service in
      try model.edit(.name, to: "")
      await #expect(throws: ProfileEditError.invalid([.missing(.name)])) {
        try await model.resolve(.keepingMine).value
      }
      #expect(model.state.conflict == .adaElsewhere)
      #expect(model.state.content.value == .ada)
      #expect(service.saves.requests.count == 1)
    }
  }

  @Test(
    "without a conflict, a choice throws an error and changes nothing", arguments: ContractStage.allCases,
    ProfileConflictChoice.allCases
  )
  func noConflict(stage: ContractStage, choice: ProfileConflictChoice) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.name, to: "Ada King")
      await #expect(throws: ProfileEditError.nothingToResolve) { try await model.resolve(choice).value }
      #expect(model.state.draft?.name == "Ada King")
      #expect(service.saves.requests.isEmpty)
    }
  }

  @Test(
    "if the service's newer profile already contains the text, the save has succeeded",
    arguments: ContractStage.allCases)
  func lostAnswer(stage: ContractStage) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.name, to: "Ada King ")
      try model.edit(.email, to: "Ada@King.example")
      let lost = model.save()
      try await service.saves.next().fail(ServiceError.timedOut)
      await #expect(throws: ServiceError.self) { try await lost.value }
      let saved = model.save()
      let answer = Profile(id: 1, name: "Ada King", email: "ada@king.example", version: 2)
      try await service.saves.next().fail(ProfileError.conflict(current: answer))
      try await saved.value
      #expect(model.state.content.value == answer && model.state.draft?.email == answer.email)
      #expect(model.state.conflict == nil && model.state.saveFailure == nil && !model.state.isDirty)
    }
  }

  private func withConflict(
    _ stage: ContractStage, _ body: (any ProfileDriver, ScriptedProfileEditingService) async throws -> Void
  ) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.name, to: "Ada King")
      let saved = model.save()
      try await service.saves.next().fail(ProfileError.conflict(current: .adaElsewhere))
      await #expect(throws: ProfileError.conflict(current: .adaElsewhere)) { try await saved.value }
      try await body(model, service)
    }
  }
}
