import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A call belongs to the account for which it was made, also if it waits before it is sent.
@Suite("Account of a call", .timeLimit(.minutes(5)), .endsWaits)
struct AccountOfACallTests {
  private let transport = AnsweringTransport()

  private static let replaced = ServiceError.status(
    code: 401, message: "the token was replaced before the request was sent")

  private func authorization(_ token: String? = "ada") throws -> BearerAuthorization {
    try BearerAuthorization(
      baseURL: StorefrontClient.shop, token: try token.map { try #require(BearerToken($0)) }
    ) { _ in throw CancellationError() }
  }

  private func options(_ middleware: any HTTPMiddleware...) -> HTTPOptions {
    HTTPOptions(retry: .none, middleware: middleware, clock: VirtualClock())
  }

  /// Middleware that waits until the test opens it.
  private struct Door: HTTPMiddleware {
    let arrivals = Tally()
    let isOpen = Monitor(false)

    func response(to request: URLRequest, next: HTTPHandler) async throws -> TransportResponse {
      arrivals.increment()
      guard await isOpen.waitUnlessCancelled(until: { $0 }) else { throw CancellationError() }
      return try await next(request)
    }
  }

  @Test(
    "a call that waits in a middleware is not sent for the next user", arguments: ServiceForm.allCases,
    ["bob", nil])
  func middleware(form: ServiceForm, next: String?) async throws {
    let (authorization, door) = (try authorization(), Door())
    let client = try StorefrontClient.http(
      form, StorefrontClient.shop, over: transport, options: options(door, authorization))
    let write = Task { try await client.deletePost(1) }
    try await until { door.arrivals.count == 1 }
    authorization.replaceToken(with: next.flatMap { BearerToken($0) })
    door.isOpen.update { $0 = true }
    await #expect(throws: Self.replaced) { try await write.value }
    #expect(transport.requests.isEmpty)
    try await client.deletePost(1)
    #expect(transport.tokens == [next.map { "Bearer \($0)" }], "a new call has the new token")
  }

  @Test("a call without a token that waits in a middleware is sent after the sign-in")
  func signIn() async throws {
    let (authorization, door) = (try authorization(nil), Door())
    let client = try StorefrontClient.http(
      .async, StorefrontClient.shop, over: transport, options: options(door, authorization))
    let write = Task { try await client.deletePost(1) }
    try await until { door.arrivals.count == 1 }
    authorization.replaceToken(with: BearerToken("ada"))
    door.isOpen.update { $0 = true }
    try await write.value
    #expect(transport.tokens == ["Bearer ada"])
  }

  @Test("a call with a completion handler belongs to the account of the call, directly and behind a bridge")
  func beforeTheStart() async throws {
    for round in 0..<100 {
      let authorization = try authorization()
      let posts: any PostClosureService =
        round % 2 == 0
        ? try HTTPClosureStorefront(
          baseURL: StorefrontClient.shop, transport: transport, options: options(authorization))
        : (try HTTPStorefront(
          baseURL: StorefrontClient.shop, transport: transport, options: options(authorization))
          as any PostService)
          .closureForm
      let ended = Tally()
      let token = posts.delete(1) { _ in ended.increment() }
      authorization.replaceToken(with: BearerToken("bob"))
      try await until { ended.count == 1 }
      withExtendedLifetime(token) {}
    }
    #expect(transport.tokens.allSatisfy { $0 == "Bearer ada" })
  }

  @Test("a request with its own authorization keeps it", arguments: ServiceForm.allCases)
  func ownAuthorization(form: ServiceForm) async throws {
    struct Own: HTTPMiddleware {
      func response(to request: URLRequest, next: HTTPHandler) async throws -> TransportResponse {
        var request = request
        request.setValue("Basic QTpC", forHTTPHeaderField: "Authorization")
        return try await next(request)
      }
    }
    let client = try StorefrontClient.http(
      form, StorefrontClient.shop, over: transport, options: options(Own(), try authorization()))
    try await client.deletePost(1)
    #expect(transport.tokens == ["Basic QTpC"])
  }
}

extension PostService {
  fileprivate var closureForm: any PostClosureService { asClosure }
}
