import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a refresh that fails means for the other requests with the same token.
@Suite("Failure of a token refresh", .timeLimit(.minutes(5)), .endsWaits)
struct TokenRefreshFailureTests {
  private struct NoSession: Error {}

  private let refreshes = Tally()

  private func authorization(failingWith error: any Error) throws -> BearerAuthorization {
    try BearerAuthorization(baseURL: StorefrontClient.shop, token: BearerToken("t1")) {
      [refreshes] _ in
      refreshes.increment()
      throw error
    }
  }

  private func client(
    _ form: ServiceForm, _ authorization: BearerAuthorization, over transport: any HTTPTransport
  ) throws -> StorefrontClient {
    try StorefrontClient.http(
      form, StorefrontClient.shop, over: transport,
      options: HTTPOptions(retry: .none, middleware: [authorization], clock: VirtualClock()))
  }

  @Test(
    "a failure that is not temporary is remembered until the token is replaced",
    arguments: ServiceForm.allCases,
    [NoSession(), ServiceError.status(code: 400, message: ""), ServiceError.notFound("")] as [any Error])
  func final(form: ServiceForm, error: any Error) async throws {
    let authorization = try authorization(failingWith: error)
    let client = try client(form, authorization, over: AnsweringTransport { _ in (401, "{}") })
    for _ in 1...4 {
      let thrown = await #expect(throws: TokenRefreshError.self) { try await client.orders() }
      #expect(type(of: try #require(thrown).cause) == type(of: error))
    }
    #expect(refreshes.count == 1)
    authorization.replaceToken(with: BearerToken("t2"))
    await #expect(throws: TokenRefreshError.self) { try await client.orders() }
    #expect(refreshes.count == 2)
  }

  @Test(
    "after a temporary failure, a later request refreshes the token again", arguments: ServiceForm.allCases,
    [
      ServiceError.offline, ServiceError.status(code: 503, message: ""),
      ServiceError.status(code: 429, message: ""), URLError(.timedOut), CancellationError(),
    ] as [any Error])
  func temporary(form: ServiceForm, error: any Error) async throws {
    let client = try client(
      form, try authorization(failingWith: error), over: AnsweringTransport { _ in (401, "{}") })
    for count in 1...3 {
      await #expect(throws: TokenRefreshError.self) { try await client.orders() }
      #expect(refreshes.count == count)
    }
  }

  @Test(
    "requests that were sent before a failure share it, whenever they are refused",
    arguments: ServiceForm.allCases)
  func shared(form: ServiceForm) async throws {
    let transport = ScriptedTransport()
    let client = try client(form, try authorization(failingWith: ServiceError.offline), over: transport)
    let reads = (1...4).map { _ in Task { try await client.orders() } }
    await transport.waitForRequests(4)
    for number in 1...4 {
      try await transport.answer(number, 401)
      try await until { transport.openCount == 4 - number && refreshes.count >= 1 }
    }
    for read in reads { await #expect(throws: TokenRefreshError.self) { try await read.value } }
    #expect(refreshes.count == 1)
  }
}
