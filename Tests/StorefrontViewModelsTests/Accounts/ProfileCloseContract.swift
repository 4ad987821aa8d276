import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The end of a profile's form when the user signs out, in every stage.
@Suite("Profile: close", .timeLimit(.minutes(5)), .endsWaits)
struct ProfileCloseContract {
  private let service = ScriptedProfileEditingService()
  private let storage = ScriptedProfileDraftStorage()

  @Test(
    "a closed form stores and sends nothing, also after the answer of a save",
    arguments: ContractStage.allCases)
  func saveInFlight(stage: ContractStage) async throws {
    try await withSave(stage) { model, saved, write in
      let call = try await service.saves.next()
      let closed = await model.close()
      await #expect(throws: ProfileEditError.closed) { try await saved.value }
      write.succeed(())
      await closed.value
      call.succeed(Profile(id: 1, name: "Ada King", email: Profile.ada.email, version: 2))
      #expect(throws: ProfileEditError.closed) { try model.edit(.name, to: "Ada") }
      #expect(throws: ProfileEditError.closed) { try model.revert() }
      await #expect(throws: ProfileEditError.closed) { try await model.save().value }
      await #expect(throws: ProfileEditError.closed) { try await model.flush().value }
      await (await model.load()).value
      await (await model.refresh()).value
      await (await model.close()).value
      #expect(model.state.isClosed && !model.state.isSaving && model.state.content.value == .ada)
      #expect(model.state.draft?.name == "Ada King")
    }
    #expect(storage.writes.requests.count == 1)
    #expect(service.saves.requests.count == 1 && service.loads.requests.count == 1)
  }

  @Test("a form that is closed and released stores nothing after the answer", arguments: ContractStage.native)
  func released(stage: ContractStage) async throws {
    let call = try await withSave(stage) { model, saved, write in
      let call = try await service.saves.next()
      write.succeed(())
      await (await model.close()).value
      await #expect(throws: ProfileEditError.closed) { try await saved.value }
      if stage.stage == .async { call.fail(ServiceError.busy) }
      return call
    }
    call.fail(ServiceError.busy)
    #expect(storage.writes.requests.count == 1)
  }

  @Test("a close ends a load, and its answer is not shown", arguments: ContractStage.inProcess)
  func loadInProgress(stage: ContractStage) async throws {
    let service = ScriptedProfileEditingService(ignoringCancellation: true)
    try await withProfile(stage, service) { model in
      let loaded = await model.load()
      let call = try await service.loads.next()
      await (await model.close()).value
      await loaded.value
      await call.waitForCancellation()
      call.succeed(.ada)
      #expect(throws: ProfileEditError.closed) { try model.edit(.name, to: "Ada") }
      #expect(!model.state.isLoading && model.state.content.value == nil)
    }
  }

  @Test("the states end with the closed form", arguments: ContractStage.streams)
  func states(stage: ContractStage) async throws {
    try await withProfile(stage, service) { model in
      let states = model.states()
      await (await model.close()).value
      var last: ProfileState?
      for await state in states { last = state }
      #expect(last?.isClosed == true)
    }
  }

  @Test("a closed form ignores all that comes after")
  func rules() throws {
    var state = ProfileState()
    state.begin()
    state.receive(.success(.ada))
    _ = try state.begin(.edit(.name, to: "Ada King"))
    _ = try state.begin(.save)
    state.begin()
    state.close()
    #expect(!state.isLoading && !state.isSaving)
    state.endSave(.success(.adaElsewhere))
    state.recordWrite(.failure(StorageError.closed(file: "draft.json")))
    #expect(!state.needsRequest(for: .load) && !state.needsRequest(for: .refresh))
    #expect(state.content.value == .ada && state.storageFailure == nil && state.saveFailure == nil)
    #expect("\(ProfileEditError.closed)" == "The form is closed.")
  }

  /// Loads a profile, edits it and starts a save, while the edit is being stored.
  private func withSave<Result>(
    _ stage: ContractStage,
    _ body: (any ProfileDriver, Task<Void, any Error>, ScriptedCall<SavedProfileDraft?, Void>) async throws ->
      Result
  ) async throws -> Result {
    try await withProfile(stage, service, storage: storage) { model in
      await model.load()
      try await service.loads.next().succeed(.ada)
      await model.settle()
      try model.edit(.name, to: "Ada King")
      let write = try await storage.writes.next()
      return try await body(model, model.save(), write)
    }
  }
}
