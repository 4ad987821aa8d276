import StorefrontDomain
import StorefrontLoopbackServer
import StorefrontServices
import Testing

/// Checks how a storefront saves a profile: the rules are the same for the closure and the async form.
func expectProfileRules(_ client: StorefrontClient, first: Profile) async throws {
  let draft = Profile.Draft(name: " \"Ada\" King 🥣 ", email: "ada@example.com")
  let saved = try await client.save(draft, first.version)
  let expected = Profile(
    id: first.id, name: "\"Ada\" King 🥣", email: "ada@example.com", version: first.version + 1)
  #expect(saved == expected)
  #expect(try await client.profile() == expected)

  await #expect(throws: ProfileError.conflict(current: expected)) {
    try await client.save(Profile.Draft(name: "Late", email: "late@example.com"), first.version)
  }
  for (field, draft) in [
    (ProfileField.name, Profile.Draft(name: "", email: "a@b.c")), (.email, .init(name: "Ada", email: "x")),
  ] {
    let error = await #expect(throws: ProfileError.self) { try await client.save(draft, expected.version) }
    guard case .invalid(let reason)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(reason.field == field)
  }
  #expect(try await client.profile() == expected, "a refused save changes nothing")
}
