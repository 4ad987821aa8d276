import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@testable import StorefrontServices

/// How a view model passes the account of an intent.
@Suite("Account version", .timeLimit(.minutes(5)), .endsWaits)
struct AccountVersionTests {
  private let transport = AnsweringTransport()

  @Test("a call with the version of an earlier user is not sent, in each form", arguments: [0, 1, 2, 3])
  func earlierVersion(form: Int) async throws {
    let token = try #require(BearerToken("ada"))
    let authorization = try BearerAuthorization(baseURL: StorefrontClient.shop, token: token) { _ in token }
    let options = HTTPOptions(retry: .none, middleware: [authorization], clock: VirtualClock())
    let closures = try HTTPClosureStorefront(
      baseURL: StorefrontClient.shop, transport: transport, options: options)
    let storefront = try HTTPStorefront(
      baseURL: StorefrontClient.shop, transport: transport, options: options)
    func delete() async throws {
      switch form {
      case 0: try await storefront.delete(1)
      case 1: try await PendingCall.result { closures.delete(1, completion: $0) }
      case 2: try await (closures as any PostClosureService).asyncForm.delete(1)
      default:
        try await PendingCall.result { (storefront as any PostService).closureForm.delete(1, completion: $0) }
      }
    }
    let account = AccountVersion.current
    try await account.run { try await delete() }
    authorization.replaceToken(with: BearerToken("bob"))
    await #expect(throws: ServiceError.replacedToken) { try await account.run { try await delete() } }
    try await delete()
    try await AccountVersion.current.run { try await delete() }
    #expect(transport.tokens == ["Bearer ada", "Bearer bob", "Bearer bob"])
  }

  @Test("a version of before the creation of an authorization is valid for it")
  func earlierThanTheAuthorization() async throws {
    let (account, token) = (AccountVersion.current, try #require(BearerToken("ada")))
    AccountVersion.advance()
    let authorization = try BearerAuthorization(baseURL: StorefrontClient.shop, token: token) { _ in token }
    let storefront = try HTTPStorefront(
      baseURL: StorefrontClient.shop, transport: transport,
      options: HTTPOptions(retry: .none, middleware: [authorization], clock: VirtualClock()))
    try await account.run { try await storefront.delete(1) }
    #expect(transport.tokens == ["Bearer ada"])
  }
}

extension PostService {
  fileprivate var closureForm: any PostClosureService { asClosure }
}

extension PostClosureService {
  fileprivate var asyncForm: any PostService { asAsync }
}
