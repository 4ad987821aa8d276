import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Conflicts with a profile that was saved elsewhere, in every stage.
@Suite("Profile: conflict", .timeLimit(.minutes(1)))
struct ProfileConflictContract {
  @Test(
    "a conflict is shown, keeps the draft, and prevents a save until the user chooses",
    arguments: MigrationStage.allCases)
  func conflict(stage: MigrationStage) async throws {
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
    arguments: MigrationStage.allCases)
  func theirs(stage: MigrationStage) async throws {
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
    "the choice `keepingMine` saves the form over the service's profile", arguments: MigrationStage.allCases)
  func mine(stage: MigrationStage) async throws {
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
    arguments: MigrationStage.allCases)
  func mineAgain(stage: MigrationStage) async throws {
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
    arguments: MigrationStage.allCases)
  func invalidMine(stage: MigrationStage) async throws {
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
    "without a conflict, a choice throws an error and changes nothing", arguments: MigrationStage.allCases,
    ProfileConflictChoice.allCases
  )
  func noConflict(stage: MigrationStage, choice: ProfileConflictChoice) async throws {
    try await withLoadedProfile(stage) { model, service in
      try model.edit(.name, to: "Ada King")
      await #expect(throws: ProfileEditError.nothingToResolve) { try await model.resolve(choice).value }
      #expect(model.state.draft?.name == "Ada King")
      #expect(service.saves.requests.isEmpty)
    }
  }

  @Test(
    "over HTTP, a save based on an old version is a conflict, which the choice `keepingMine` resolves",
    arguments: MigrationStage.allCases)
  func overHTTP(stage: MigrationStage) async throws {
    let server = LoopbackHTTPServer(catalog: .seeded(count: 1))
    let url = try server.start()
    let services = (HTTPStorefront(baseURL: url), HTTPClosureStorefront(baseURL: url))
    try await LeakTracker.check { tracker in
      let model = stage.makeProfile(service: services.0, closures: services.1)
      tracker.track(model.subject)
      let states = StateRecorder(model.states())
      await model.load()
      try await states.first { $0.content.value == server.catalog.profile }
      let theirs = try await services.0.save(.init(name: "They", email: "they@example.com"), basedOn: 1)

      try model.edit(.name, to: "Mine")
      let saved = model.save()
      await #expect(throws: ProfileError.conflict(current: theirs)) { try await saved.value }
      #expect(server.profile == theirs)
      #expect(model.state.conflict == theirs)
      try await model.resolve(.keepingMine).value
      #expect(
        server.profile
          == Profile(id: theirs.id, name: "Mine", email: server.catalog.profile.email, version: 3))
      #expect(model.state.content.value == server.profile)
    }
  }

  private func withConflict(
    _ stage: MigrationStage, _ body: (any ProfileDriver, ScriptedProfileEditingService) async throws -> Void
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
