import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontServices
import StorefrontTesting
import Testing

/// The text of a token and of its errors.
@Suite("Bearer tokens", .usesSockets, .timeLimit(.minutes(5)), .endsWaits)
struct BearerTokenTests {
  @Test("no text contains the token")
  func secrecy() throws {
    let secret = "SECRET"
    let token = try #require(BearerToken(secret))
    let authorization = try BearerAuthorization(baseURL: StorefrontClient.shop, token: token) { _ in token }
    let error = TokenRefreshError(cause: ServiceError.malformed(secret))
    var dumps = ""
    dump(token, to: &dumps)
    dump(authorization, to: &dumps)
    let texts = [
      "\(token)", String(reflecting: token), "\([token])", "\(Optional(token) as Any)", "\(authorization)",
      "\(error)", String(reflecting: error), error.localizedDescription, dumps,
    ]
    for text in texts { #expect(!text.contains(secret), "\(text)") }
  }

  @Test("a token contains only the characters of RFC 6750")
  func syntax() {
    for text in ["a", "aZ09-._~+/", "a==", "abc.def-ghi_jkl="] { #expect(BearerToken(text)?.value == text) }
    for text in ["", "=", "a b", "a\r\nX: y", "a=b", "ä", "a\0", "\"a\""] {
      #expect(BearerToken(text) == nil)
    }
  }
}
