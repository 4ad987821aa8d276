import AsyncViewModels
import AsyncViewModelsTesting
import StorefrontDomain
import Testing

@Suite("Profile", .timeLimit(.minutes(5)), .endsWaits)
struct ProfileTests {
  private let profile = Profile(id: 7, name: "Ada", email: "ada@example.com", version: 3)

  @Test(
    "an email address is valid if it has one @ between a name and a domain with a dot",
    arguments: ["a@b.c", " ada@example.com\n", "ada+tea@mail.example.com", "ädä@exämple.com"])
  func goodEmail(text: String) throws {
    var draft = Profile.Draft(profile)
    draft.email = text
    #expect(draft.errors.isEmpty)
    #expect(try draft.validated() == draft.normalized)
  }

  @Test(
    "the error for a malformed email address contains the address",
    arguments: [
      "ada", "@example.com", "ada@", "ada@home", "a@b@c.de", "ada@.com", "ada@example.", "ada b@c.de",
      "a@b..c",
    ])
  func badEmail(text: String) {
    var draft = Profile.Draft(profile)
    draft.email = text
    #expect(draft.errors == [.email: .malformedEmail(text)])
    #expect(throws: ProfileValidationError.malformedEmail(text)) { try draft.validated() }
  }

  @Test("a missing or blank value is an error", arguments: ProfileField.allCases, ["", " \t\n"])
  func missing(field: ProfileField, text: String) {
    var draft = Profile.Draft(profile)
    draft[field] = text
    #expect(draft.errors == [field: .missing(field)])
    #expect(draft.errors[field]?.field == field)
  }

  @Test("a value may be as long as its limit, and no longer")
  func limits() {
    var draft = Profile.Draft(profile)
    draft.name = String(repeating: "é", count: 80)
    draft.email = String(repeating: "a", count: 254 - 4) + "@b.c"
    #expect(draft.errors.isEmpty)
    draft.name += "e"
    draft.email = "a" + draft.email
    #expect(
      draft.errors == [
        .name: .tooLong(.name, length: 81, limit: 80), .email: .tooLong(.email, length: 255, limit: 254),
      ])
  }

  @Test("validation throws the error of the first invalid field")
  func order() {
    #expect(throws: ProfileValidationError.missing(.name)) {
      try Profile.Draft(name: "", email: "x").validated()
    }
  }

  @Test("saving creates the next version, without spaces around the values")
  func saving() throws {
    let saved = try profile.replaced(by: .init(name: " Ada King", email: "king@example.com "), basedOn: 3)
    #expect(saved == Profile(id: 7, name: "Ada King", email: "king@example.com", version: 4))
  }

  @Test("a profile with the values of a draft keeps its id and its version")
  func applyingADraft() {
    #expect(
      profile.applying(.init(name: "Ada King", email: "king@example.com"))
        == Profile(id: 7, name: "Ada King", email: "king@example.com", version: 3))
  }

  @Test("a draft based on another version is a conflict, unless the draft is invalid", arguments: [2, 4])
  func conflict(version: Int) {
    #expect(throws: ProfileError.conflict(current: profile)) {
      try profile.replaced(by: .init(name: "Ada", email: "a@b.c"), basedOn: version)
    }
    #expect(throws: ProfileError.invalid(.missing(.name))) {
      try profile.replaced(by: .init(name: "", email: "a@b.c"), basedOn: version)
    }
  }
}
