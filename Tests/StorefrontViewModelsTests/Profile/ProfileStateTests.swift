import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels
import Testing

/// The rules of the profile's screen, tested without a view model.
@Suite("Profile state", .timeLimit(.minutes(5)), .endsWaits)
struct ProfileStateTests {
  @Test("a cancelled load restores the earlier failure")
  func cancelledLoad() {
    var state = ProfileState()
    state.begin()
    #expect(!state.needsRequest(for: .load))
    state.receive(.failure(ServiceError.timedOut))
    #expect(state.needsRequest(for: .load))
    state.begin()
    #expect(state.content.isLoading)
    state.cancel()
    #expect(state.content.error as? ServiceError == .timedOut)
    state.begin()
    state.receive(.cancelled)
    #expect(state.content.error as? ServiceError == .timedOut)
  }

  @Test("the saved text follows the edits, the conflict and the save, and only differences are saved")
  func saved() throws {
    var state = ProfileState.loaded
    #expect(state.saved == nil)
    _ = try state.begin(.edit(.name, to: Profile.ada.name + " "))
    #expect(state.saved == nil, "whitespace is no edit")
    _ = try state.begin(.edit(.name, to: "Ada King"))
    let draft = Profile.Draft(name: "Ada King", email: Profile.ada.email)
    #expect(state.saved == SavedProfileDraft(draft, basedOn: .ada))
    _ = try state.begin(.save)
    #expect(state.saved == SavedProfileDraft(draft, basedOn: .ada), "the save can fail")
    state.endSave(.failure(ProfileError.conflict(current: .adaElsewhere)))
    #expect(state.saved == SavedProfileDraft(draft, basedOn: .ada))
    _ = try state.begin(.resolve(.keepingTheirs))
    #expect(state.saved == nil)
  }

  @Test("the text can be saved over the profile of a service that has lost newer versions")
  func lostVersions() throws {
    let draft = Profile.Draft(name: "Ada King", email: Profile.adaElsewhere.email)
    var state = ProfileState(restoring: SavedProfileDraft(draft, basedOn: .adaElsewhere))
    state.begin()
    state.receive(.success(.ada))
    #expect(state.conflict == .ada, "the name was edited, and is another one now")
    let save = try #require(try state.begin(.resolve(.keepingMine)))
    #expect(save.version == Profile.ada.version)
    #expect(save.draft == Profile.Draft(name: "Ada King", email: Profile.ada.email))
  }

  @Test("the conflict of a save is the service's profile, also if the service has lost newer versions")
  func lostVersionsInASave() throws {
    var state = ProfileState()
    state.begin()
    state.receive(.success(.adaElsewhere))
    _ = try state.begin(.edit(.name, to: "Ada King"))
    _ = try state.begin(.save)
    state.endSave(.failure(ProfileError.conflict(current: .ada)))
    #expect(state.conflict == .ada)
    let save = try #require(try state.begin(.resolve(.keepingMine)))
    #expect(save.version == Profile.ada.version)
  }

  /// The profile of a user who has signed in later.
  private static let grace = Profile(id: 2, name: "Grace", email: "grace@example.com", version: 0)

  @Test("the profile of another user replaces the form and its text, also in a conflict")
  func otherUser() throws {
    var conflicting = try ProfileState.conflicting()
    var edited = ProfileState.loaded
    _ = try edited.begin(.edit(.name, to: "Ada King"))
    for var state in [edited, conflicting] {
      state.begin()
      state.receive(.success(Self.grace))
      #expect(state.content.value == Self.grace)
      #expect(state.draft == Profile.Draft(Self.grace))
      #expect(state.conflict == nil && state.saved == nil && !state.isDirty)
    }
    // The answer to a save can be the first that shows the other user.
    for isConflict in [true, false] {
      _ = try conflicting.begin(.resolve(.keepingMine))
      conflicting.endSave(
        isConflict ? .failure(ProfileError.conflict(current: Self.grace)) : .success(Self.grace))
      #expect(conflicting.content.value == Self.grace)
      #expect(conflicting.draft == Profile.Draft(Self.grace) && conflicting.saved == nil)
      conflicting = try ProfileState.conflicting()
    }
  }

  @Test("the answer to the save of an earlier user is ignored, and the next user can save after it")
  func saveOfAnEarlierUser() throws {
    var state = ProfileState.loaded
    _ = try state.begin(.edit(.name, to: "Ada King"))
    let save = try #require(try state.begin(.save))
    state.begin()
    state.receive(.success(Self.grace))
    _ = try state.begin(.edit(.name, to: "Grace Hopper"))
    #expect(throws: ProfileEditError.saveInProgress) { try state.begin(.save) }
    state.endSave(.success(save.answer))
    #expect(state.content.value == Self.grace)
    #expect(state.draft?.name == "Grace Hopper")
    #expect(try state.begin(.save)?.version == Self.grace.version)
  }

  @Test("an answer without a pending save changes nothing")
  func strayAnswer() throws {
    var state = ProfileState.loaded
    _ = try state.begin(.edit(.name, to: "Ada King"))
    state.endSave(.success(.adaElsewhere))
    #expect(state.content.value == .ada)
    #expect(state.draft?.name == "Ada King")
  }

  @Test("a refused intent leaves the state as it was")
  func refusedIntents() throws {
    var state = ProfileState.loaded
    _ = try state.begin(.edit(.name, to: ""))
    #expect(throws: ProfileEditError.invalid([.missing(.name)])) { _ = try state.begin(.save) }
    #expect(throws: ProfileEditError.nothingToResolve) { _ = try state.begin(.resolve(.keepingTheirs)) }
    #expect(state.draft?.name == "")
    #expect(!state.isSaving)
  }

  @Test("a revert leaves a conflict unresolved")
  func revertInConflict() throws {
    var state = try ProfileState.conflicting()
    _ = try state.begin(.revert)
    #expect(state.draft == Profile.Draft(.ada))
    #expect(state.conflict == .adaElsewhere)
    #expect(throws: ProfileEditError.unresolvedConflict(current: .adaElsewhere)) {
      _ = try state.begin(.save)
    }
  }

  @Test("a failed save shows its error until a revert or the next save")
  func failedSave() throws {
    var state = ProfileState.loaded
    for isReverted in [true, false] {
      _ = try state.begin(.edit(.name, to: "Ada King"))
      _ = try #require(try state.begin(.save))
      state.endSave(.failure(ServiceError.timedOut))
      #expect(state.saveFailure as? ServiceError == .timedOut)
      #expect(state.content.value == .ada)
      if isReverted { _ = try state.begin(.revert) } else { _ = try #require(try state.begin(.save)) }
      #expect(state.saveFailure == nil)
    }
  }

  @Test("a save of a form without edits sends nothing and hides the error of the last save")
  func nothingToSave() throws {
    var state = ProfileState.loaded
    _ = try state.begin(.edit(.name, to: "Ada King"))
    _ = try #require(try state.begin(.save))
    state.endSave(.failure(ServiceError.timedOut))
    _ = try state.begin(.edit(.name, to: Profile.ada.name))
    #expect(state.saveFailure as? ServiceError == .timedOut)
    #expect(try state.begin(.save) == nil)
    #expect(state.saveFailure == nil)
  }

  @Test("if the form equals the service's profile, `keepingMine` ends the conflict without a save")
  func mineIsTheirs() throws {
    var state = try ProfileState.conflicting()
    for field in ProfileField.allCases {
      _ = try state.begin(.edit(field, to: Profile.Draft(.adaElsewhere)[field]))
    }
    #expect(try state.begin(.resolve(.keepingMine)) == nil)
    #expect(state.conflict == nil)
    #expect(!state.isDirty)
    #expect(!state.isSaving)
  }

  @Test("a refused value that is sent again is no longer invalid")
  func refusedAgain() throws {
    var state = ProfileState.loaded
    _ = try state.begin(.edit(.name, to: "Root"))
    _ = try state.begin(.save)
    let refusal = ProfileValidationError.refused(.name, reason: "reserved")
    state.endSave(.failure(ProfileError.invalid(refusal)))
    #expect(state.errors == [.name: refusal])
    _ = try state.begin(.edit(.name, to: "Rooty"))
    #expect(state.errors.isEmpty)
    _ = try state.begin(.edit(.name, to: " Root"))
    #expect(state.errors == [.name: refusal])
    _ = try state.begin(.save)
    #expect(state.errors.isEmpty)
  }

  @Test("the description of an error names the cause")
  func descriptions() {
    #expect(
      "\(ProfileEditError.invalid([.missing(.name), .malformedEmail("x")]))"
        == "The name is missing. \"x\" is not an email address.")
    #expect(ProfileEditError.nothingToResolve.localizedDescription == "There is no conflict.")
    #expect(
      "\(ProfileError.conflict(current: .adaElsewhere))"
        == "The profile was changed elsewhere: the current version is 4.")
  }

  @Test("a refresh replaces the fields that are not edited, and keeps the edited ones")
  func refreshKeepsEdits() throws {
    var state = ProfileState.loaded
    _ = try state.begin(.edit(.name, to: "Ada King"))
    state.begin()
    #expect(state.isRefreshing)
    state.receive(.success(.adaElsewhere))
    #expect(state.content.value == .adaElsewhere)
    #expect(state.draft == Profile.Draft(name: "Ada King", email: Profile.adaElsewhere.email))
    #expect(try state.begin(.save)?.version == Profile.adaElsewhere.version)
  }

  @Test("a refresh replaces a field that is not edited, even if its value begins or ends with whitespace")
  func refreshOfPaddedValue() throws {
    var state = ProfileState()
    state.begin()
    state.receive(.success(Profile(id: 1, name: " Ada ", email: "ada@example.com")))
    #expect(!state.isDirty)
    state.begin()
    state.receive(.success(Profile(id: 1, name: "Grace", email: "ada@example.com")))
    #expect(state.draft?.name == "Grace")
  }

  @Test("no answer removes the space that a user has typed before the next word")
  func typedSpace() throws {
    var state = ProfileState.loaded
    _ = try state.begin(.edit(.name, to: "Ada King"))
    let save = try #require(try state.begin(.save))
    _ = try state.begin(.edit(.name, to: "Ada King "))
    state.endSave(.success(save.answer))
    #expect(state.draft?.name == "Ada King ")
    #expect(!state.isDirty)
    state.begin()
    state.receive(.success(save.answer))
    #expect(state.draft?.name == "Ada King ")
  }

  @Test("a refresh that was requested during a save does not restore the older profile")
  func staleRefresh() throws {
    var state = ProfileState.loaded
    _ = try state.begin(.edit(.name, to: "Ada King"))
    let save = try #require(try state.begin(.save))
    state.begin()
    state.endSave(.success(save.answer))
    state.receive(.success(.ada))
    #expect(state.content.value == save.answer)
    #expect(!state.isDirty)
  }

  @Test("the answer to a save does not replace a newer profile from a refresh", arguments: [true, false])
  func refreshDuringSave(isConflict: Bool) throws {
    var state = ProfileState.loaded
    _ = try state.begin(.edit(.name, to: "Ada King"))
    let save = try #require(try state.begin(.save))
    let newest = Profile(id: 1, name: "Countess", email: "ada@example.com", version: 5)
    state.begin()
    state.receive(.success(newest))
    if isConflict {
      state.endSave(.failure(ProfileError.conflict(current: .adaElsewhere)))
      #expect(state.conflict == newest)
    } else {
      state.endSave(.success(save.answer))
      #expect(state.content.value == newest)
      #expect(state.draft == Profile.Draft(newest))
    }
  }

  @Test("a refresh during a conflict shows the newest profile, and the user still has to choose")
  func refreshInConflict() throws {
    var state = try ProfileState.conflicting()
    let newer = Profile(id: 1, name: "Countess", email: "ada@example.com", version: 5)
    for profile in [newer, .ada] {
      state.begin()
      state.receive(.success(profile))
      #expect(state.conflict == newer)
    }
    #expect(state.draft?.name == "Ada King")
  }

  @Test("a failed refresh keeps the profile and adds the error")
  func failedRefresh() {
    var state = ProfileState.loaded
    state.begin()
    state.receive(.failure(ServiceError.timedOut))
    #expect(state.content.value == .ada)
    #expect(state.refreshFailure as? ServiceError == .timedOut)
    state.begin()
    #expect(state.refreshFailure == nil)
    state.receive(.success(.ada))
    #expect(state.refreshFailure == nil)
  }

  @Test("before the profile is loaded, the form is clean, valid and cannot be saved")
  func notThere() {
    let state = ProfileState()
    #expect(!state.isDirty)
    #expect(!state.isSaving)
    #expect(state.errors.isEmpty)
    #expect(!state.canSave)
  }
}

extension ProfileState {
  fileprivate static var loaded: ProfileState {
    var state = ProfileState()
    state.begin()
    state.receive(.success(.ada))
    return state
  }

  fileprivate static func conflicting() throws -> ProfileState {
    var state = loaded
    _ = try state.begin(.edit(.name, to: "Ada King"))
    _ = try state.begin(.save)
    state.endSave(.failure(ProfileError.conflict(current: .adaElsewhere)))
    return state
  }
}
