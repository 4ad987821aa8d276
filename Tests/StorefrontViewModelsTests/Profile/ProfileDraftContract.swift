import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import StorefrontViewModels
import Testing

/// The text that a storage keeps, in every stage.
@Suite("Profile: draft", .timeLimit(.minutes(5)), .endsWaits)
struct ProfileDraftContract {
  @Test(
    "the text is saved after an edit, one write at a time, and removed when the service has it",
    arguments: ContractStage.allCases)
  func saves(stage: ContractStage) async throws {
    let (service, storage) = (ScriptedProfileEditingService(), ScriptedProfileDraftStorage())
    try await withProfile(stage, service, storage: storage) { model in
      try await loadProfile(model, service)
      #expect(storage.writes.requests.isEmpty, "nothing has changed")

      try model.edit(.name, to: "Ada K")
      let first = try await storage.writes.next()
      #expect(first.request == .ada.edited(name: "Ada K"))
      try model.edit(.name, to: "Ada Ki")
      try model.edit(.name, to: "Ada King")
      #expect(storage.writes.requests.count == 1, "the first write is in progress")
      first.succeed(())
      let second = try await storage.writes.next()
      #expect(second.request == .ada.edited(name: "Ada King"), "the newest text, without those between")
      second.succeed(())

      let saved = model.save()
      let call = try await service.saves.next()
      call.succeed(call.request.answer)
      try await saved.value
      let removal = try await storage.writes.next()
      #expect(removal.request == nil)
      removal.succeed(())
      #expect(storage.writes.requests.count == 3)
    }
  }

  @Test(
    "restored text stays in the edited fields, and the other fields show the loaded profile",
    arguments: ContractStage.allCases)
  func restores(stage: ContractStage) async throws {
    let (service, storage) = (ScriptedProfileEditingService(), ScriptedProfileDraftStorage())
    let saved = SavedProfileDraft.ada.edited(name: "Ada King")
    try await withProfile(stage, service, restoring: saved, storage: storage) { model in
      #expect(throws: ProfileEditError.notLoaded) { try model.edit(.name, to: "Ada") }
      await model.load()
      try await service.loads.next().fail(ServiceError.busy)
      await model.settle()
      #expect(storage.writes.requests.isEmpty, "a failed load keeps the text")

      await model.load()
      let elsewhere = Profile(id: 1, name: Profile.ada.name, email: "byron@example.com", version: 4)
      try await service.loads.next().succeed(elsewhere)
      await model.settle()
      #expect(model.state.content.value == elsewhere)
      let draft = Profile.Draft(name: "Ada King", email: elsewhere.email)
      #expect(model.state.draft == draft)
      #expect(model.state.isDirty && model.state.conflict == nil)
      let write = try await storage.writes.next()
      #expect(write.request == SavedProfileDraft(draft, basedOn: elsewhere), "based on the new profile")
      write.succeed(())

      let save = model.save()
      let call = try await service.saves.next()
      #expect(call.request == ProfileSave(draft: draft, version: 4))
      call.succeed(call.request.answer)
      try await save.value
      let removal = try await storage.writes.next()
      #expect(removal.request == nil)
      removal.succeed(())
    }
  }

  @Test(
    "if an edited field was also changed elsewhere, the user chooses, also after another restart",
    arguments: ContractStage.allCases)
  func restoredConflict(stage: ContractStage) async throws {
    let (service, storage) = (ScriptedProfileEditingService(), ScriptedProfileDraftStorage())
    let saved = SavedProfileDraft.ada.edited(name: "Ada King")
    try await withProfile(stage, service, restoring: saved, storage: storage) { model in
      try await loadProfile(model, service, .adaElsewhere)
      #expect(model.state.conflict == .adaElsewhere)
      #expect(!model.state.canSave)
      let draft = Profile.Draft(name: "Ada King", email: Profile.adaElsewhere.email)
      #expect(model.state.draft == draft, "the email was not edited")
      let write = try await storage.writes.next()
      let base = Profile.ada.applying(Profile.Draft(name: Profile.ada.name, email: draft.email))
      #expect(write.request == SavedProfileDraft(draft, basedOn: base), "the base keeps the conflict")
      write.succeed(())

      try await model.resolve(.keepingTheirs).value
      #expect(model.state.draft == Profile.Draft(.adaElsewhere))
      let removal = try await storage.writes.next()
      #expect(removal.request == nil)
      removal.succeed(())
    }
  }

  @Test(
    "after a conflict and another restart, only what the user has typed is edited",
    arguments: ContractStage.allCases)
  func conflictRestoredAgain(stage: ContractStage) async throws {
    let service = ScriptedProfileEditingService()
    let storage = ScriptedProfileDraftStorage()
    let saved = SavedProfileDraft.ada.edited(name: "Ada King")
    var written: SavedProfileDraft?
    try await withProfile(stage, service, restoring: saved, storage: storage) { model in
      try await loadProfile(model, service, .adaElsewhere)
      let write = try await storage.writes.next()
      written = write.request
      write.succeed(())
    }
    // Meanwhile, all changes that were made elsewhere are undone.
    let undone = Profile(id: 1, name: Profile.ada.name, email: Profile.ada.email, version: 5)
    try await withProfile(stage, service, restoring: written, storage: storage) { model in
      try await loadProfile(model, service, undone)
      #expect(model.state.conflict == nil)
      #expect(model.state.draft == Profile.Draft(name: "Ada King", email: Profile.ada.email))
      let write = try await storage.writes.next()
      #expect(write.request?.base == undone)
      write.succeed(())
    }
  }

  @Test("a save whose answer was lost before the restart is no conflict", arguments: ContractStage.allCases)
  func savedBeforeTheRestart(stage: ContractStage) async throws {
    let (service, storage) = (ScriptedProfileEditingService(), ScriptedProfileDraftStorage())
    let typed = Profile.Draft(name: "Ada King", email: "Ada@King.example")
    let confirmed = Profile(id: 1, name: "Ada King", email: "ada@king.example", version: 2)
    try await withProfile(
      stage, service, restoring: SavedProfileDraft(typed, basedOn: .ada), storage: storage
    ) { model in
      try await loadProfile(model, service, confirmed)
      #expect(model.state.conflict == nil && !model.state.isDirty)
      #expect(model.state.draft == Profile.Draft(confirmed))
      let removal = try await storage.writes.next()
      #expect(removal.request == nil)
      removal.succeed(())
    }
  }

  @Test("the text of another user is dropped", arguments: ContractStage.allCases)
  func otherUser(stage: ContractStage) async throws {
    let (service, storage) = (ScriptedProfileEditingService(), ScriptedProfileDraftStorage())
    let grace = Profile(id: 2, name: "Grace Hopper", email: "grace@example.com")
    let saved = SavedProfileDraft.ada.edited(name: "Ada King")
    try await withProfile(stage, service, restoring: saved, storage: storage) { model in
      try await loadProfile(model, service, grace)
      #expect(model.state.draft == Profile.Draft(grace))
      let removal = try await storage.writes.next()
      #expect(removal.request == nil)
      removal.succeed(())
    }
  }

  @Test(
    "a failed write is shown until a later write succeeds, and a revert writes again",
    arguments: ContractStage.allCases)
  func failedWrite(stage: ContractStage) async throws {
    let (service, storage) = (ScriptedProfileEditingService(), ScriptedProfileDraftStorage())
    try await withProfile(stage, service, storage: storage) { model in
      try await loadProfile(model, service)
      let states = StateRecorder(model.states())
      try model.edit(.name, to: "Ada King")
      let full = StorageError.failed(.write, file: "draft.json", code: 28, reason: "no space")
      try await storage.writes.next().fail(full)
      try await states.first { $0.storageFailure as? StorageError == full }
      #expect(model.state.draft?.name == "Ada King")
      #expect(model.state.saveFailure == nil)

      try model.revert()
      let removal = try await storage.writes.next()
      #expect(removal.request == nil, "the contents of the storage are not known after a failure")
      removal.succeed(())
      try await states.first(from: states.states.count - 1) { $0.storageFailure == nil }
    }
  }

  @Test(
    "a flush ends when text that was typed during a write is stored, or with the error of the write",
    arguments: ContractStage.allCases)
  func flush(stage: ContractStage) async throws {
    let (service, storage) = (ScriptedProfileEditingService(), ScriptedProfileDraftStorage())
    try await withProfile(stage, service, storage: storage) { model in
      try await model.flush().value
      try await loadProfile(model, service)
      try model.edit(.name, to: "Ada K")
      let first = try await storage.writes.next()
      try model.edit(.name, to: "Ada King")
      let flushed = model.flush()
      // In the closure and stream stages, returns after the flush has begun.
      await model.cancel()
      first.succeed(())
      let second = try await storage.writes.next()
      #expect(second.request == .ada.edited(name: "Ada King"))
      let full = StorageError.failed(.write, file: "draft.json", code: 28, reason: "no space")
      second.fail(full)
      await #expect(throws: full) { try await flushed.value }

      let retried = model.flush()
      let third = try await storage.writes.next()
      #expect(third.request == second.request, "what is not stored is written again")
      third.succeed(())
      try await retried.value
      try await model.flush().value
      #expect(storage.writes.requests.count == 3)
    }
  }

  @Test(
    "the storage does not keep text that was saved after the view model was released",
    arguments: ContractStage.allCases)
  func savedAfterTheRelease(stage: ContractStage) async throws {
    let (service, storage) = (ScriptedProfileEditingService(), ScriptedProfileDraftStorage())
    try await stage.check { tracker in
      let saved = try await startSave(
        of: stage.makeProfile(service: service, storage: storage), service, tracker, storage: storage)
      let call = try await service.saves.next()
      call.succeed(call.request.answer)
      try await saved.value
      let removal = try await storage.writes.next()
      #expect(removal.request == nil)
      removal.succeed(())
    }
  }

  @Test("the text survives a restart of the app in a real file", arguments: ContractStage.allCases)
  func restart(stage: ContractStage) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ProfileDraft-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "draft.json")

    let first = try FileStore<SavedProfileDraft>(at: file)
    let service = ScriptedProfileEditingService()
    try await withProfile(stage, service, storage: first) { model in
      try await loadProfile(model, service)
      try model.edit(.email, to: "ada@")
      try await model.flush().value
      try await first.close()
    }

    let second = try FileStore<SavedProfileDraft>(at: file)
    let saved = try #require(try await second.load().value)
    try await withProfile(stage, service, restoring: saved, storage: second) { model in
      try await loadProfile(model, service)
      #expect(model.state.draft?.email == "ada@", "text that is not valid yet is kept, too")
      #expect(model.state.errors[.email] == .malformedEmail("ada@"))
    }
    try await second.close()
  }
}

extension SavedProfileDraft {
  /// The form of a profile that has not been edited.
  fileprivate static let ada = SavedProfileDraft(Profile.Draft(.ada), basedOn: .ada)

  fileprivate func edited(name: String? = nil, email: String? = nil) -> SavedProfileDraft {
    SavedProfileDraft(
      Profile.Draft(name: name ?? draft.name, email: email ?? draft.email), basedOn: base)
  }
}
