import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// Creates the profile's view model of a stage, and checks that it is deallocated.
func withProfile<Result>(
  _ stage: ContractStage, _ service: ScriptedProfileEditingService,
  restoring saved: SavedProfileDraft? = nil,
  storage: (any ProfileDraftStorage & ProfileDraftClosureStorage)? = nil,
  _ body: (any ProfileDriver) async throws -> Result
) async throws -> Result {
  try await stage.check { tracker in
    let model = stage.makeProfile(restoring: saved, service: service, storage: storage)
    tracker.track(model.subject)
    return try await body(model)
  }
}

/// Loads a profile that the service returns.
func loadProfile(
  _ model: any ProfileDriver, _ service: ScriptedProfileEditingService, _ profile: Profile = .ada
) async throws {
  await model.load()
  try await service.loads.next().succeed(profile)
  await model.settle()
}

/// Creates the view model and loads a profile.
func withLoadedProfile(
  _ stage: ContractStage, _ body: (any ProfileDriver, ScriptedProfileEditingService) async throws -> Void
) async throws {
  let service = ScriptedProfileEditingService()
  try await withProfile(stage, service) { model in
    try await loadProfile(model, service)
    try #require(model.state.content.value == .ada)
    try await body(model, service)
  }
}

/// Loads a profile, starts a save, and releases the view model. In the async stage, the returned task keeps it until the save ends.
func startSave(
  of model: any ProfileDriver, _ service: ScriptedProfileEditingService, _ tracker: LeakTracker,
  storage: ScriptedProfileDraftStorage? = nil
) async throws -> Task<Void, any Error> {
  tracker.track(model.subject)
  try await loadProfile(model, service)
  try model.edit(.name, to: "Ada King")
  try await storage?.writes.next().succeed(())
  return model.save()
}

extension Profile {
  static let ada = Profile(id: 1, name: "Ada Byron", email: "ada@example.com", version: 1)
  /// The profile after another device has saved it.
  static let adaElsewhere = Profile(id: 1, name: "A. Byron", email: "byron@example.com", version: 4)
}
