import AsyncViewModels
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontViewModels
import Testing

/// The profile's rules, without anybody who waits.
@Suite("Profile state", .timeLimit(.minutes(1)))
struct ProfileStateTests {
  @Test("a load that is called off restores the failure before it")
  func loadCalledOff() {
    var state = ProfileState()
    state.beginLoading()
    #expect(!state.needsLoading)
    state.receiveLoaded(.failure(ServiceError.timedOut))
    #expect(state.needsLoading)
    state.beginLoading()
    #expect(state.content.isLoading)
    state.leave()
    #expect(state.content.error as? ServiceError == .timedOut)
    state.beginLoading()
    state.receiveLoaded(.cancelled)
    #expect(state.content.error as? ServiceError == .timedOut)
  }

  @Test("an answer that nobody waits for changes nothing")
  func strayAnswer() throws {
    var state = ProfileState.loaded
    _ = try state.begin(.edit(.name, to: "Ada King"))
    state.receiveSaved(.success(.adaElsewhere))
    #expect(state.content.value == .ada)
    #expect(state.draft?.name == "Ada King")
  }

  @Test("an intent that cannot be carried out leaves everything as it was")
  func refusedIntents() throws {
    var state = ProfileState.loaded
    _ = try state.begin(.edit(.name, to: ""))
    #expect(throws: ProfileEditError.invalid([.missing(.name)])) { _ = try state.begin(.save) }
    #expect(throws: ProfileEditError.nothingToResolve) { _ = try state.begin(.resolve(.keepingTheirs)) }
    #expect(state.draft?.name == "")
    #expect(!state.isSaving)
  }

  @Test("putting the form back leaves a conflict to be decided")
  func revertInConflict() throws {
    var state = try ProfileState.conflicting()
    _ = try state.begin(.revert)
    #expect(state.draft == Profile.Draft(.ada))
    #expect(state.conflict == .adaElsewhere)
    #expect(throws: ProfileEditError.unresolvedConflict(current: .adaElsewhere)) {
      _ = try state.begin(.save)
    }
  }

  @Test("what says the same as theirs need not be saved over it")
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

  @Test("a refused value is refused no more once it has been sent again")
  func refusedAgain() throws {
    var state = ProfileState.loaded
    _ = try state.begin(.edit(.name, to: "Root"))
    _ = try state.begin(.save)
    let refusal = ProfileValidationError.refused(.name, reason: "reserved")
    state.receiveSaved(.failure(ProfileError.invalid(refusal)))
    #expect(state.errors == [.name: refusal])
    _ = try state.begin(.edit(.name, to: "Rooty"))
    #expect(state.errors.isEmpty)
    _ = try state.begin(.edit(.name, to: " Root"))
    #expect(state.errors == [.name: refusal])
    _ = try state.begin(.save)
    #expect(state.errors.isEmpty)
  }

  @Test("each error says what is wrong with which field")
  func descriptions() {
    #expect(
      "\(ProfileEditError.invalid([.missing(.name), .malformedEmail("x")]))"
        == "the name is missing; \"x\" is not an email address")
    #expect(ProfileEditError.nothingToResolve.localizedDescription == "there is no conflict")
    #expect(
      "\(ProfileError.conflict(current: .adaElsewhere))"
        == "the profile was changed elsewhere: the current version is 4")
  }
}

extension ProfileState {
  fileprivate static var loaded: ProfileState {
    var state = ProfileState()
    state.beginLoading()
    state.receiveLoaded(.success(.ada))
    return state
  }

  fileprivate static func conflicting() throws -> ProfileState {
    var state = loaded
    _ = try state.begin(.edit(.name, to: "Ada King"))
    _ = try state.begin(.save)
    state.receiveSaved(.failure(ProfileError.conflict(current: .adaElsewhere)))
    return state
  }

  @Test("before the profile is there, nothing is edited, wrong or to be saved")
  func notThere() {
    let state = ProfileState()
    #expect(!state.isDirty)
    #expect(state.errors.isEmpty)
    #expect(!state.canSave)
  }
}
