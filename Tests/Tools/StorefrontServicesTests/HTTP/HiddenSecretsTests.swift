import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Texts that end in a log or on a screen contain no password, token or cause.
@Suite("Hidden secrets", .timeLimit(.minutes(5)), .endsWaits)
struct HiddenSecretsTests {
  private struct OwnError: Error {
    let token = "SECRET"
  }

  private struct OwnStep: HTTPMiddleware {
    let token = "SECRET"

    func response(to request: URLRequest, next: HTTPHandler) async throws -> TransportResponse {
      try await next(request)
    }
  }

  /// All texts that Swift makes of a value.
  private func texts(of value: some Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    let texts = [dumped, "\(value)", String(reflecting: value)]
    guard let error = value as? any Error else { return texts }
    return texts + [error.localizedDescription, "\(Result<Void, any Error>.failure(error))"]
  }

  @Test(
    "a rejected base URL",
    arguments: [
      "https://ada:SECRET@shop.example/", "https://SECRET@shop.example", "https://shop.example/a?key=SECRET",
      "https://shop.example/a#SECRET", "ftp://ada:SECRET@shop.example/a?b=SECRET#SECRET",
    ])
  func baseURL(text: String) throws {
    let url = try #require(URL(string: text))
    let error = try #require(
      #expect(throws: BaseURLError.self) { try HTTPStorefront(baseURL: url) })
    for text in texts(of: error) { #expect(!text.contains("SECRET"), "\(text)") }
    #expect(error.description.contains("shop.example"))
    #expect(error.url == url)
  }

  @Test("a failed refresh")
  func refresh() {
    let error = TokenRefreshError(cause: OwnError())
    for text in texts(of: error) + texts(of: Optional(error) as Any) {
      #expect(!text.contains("SECRET"), "\(text)")
    }
    #expect(error.cause is OwnError)
  }

  @Test("the options, and what is made with them")
  func options() throws {
    let url = StorefrontClient.shop
    let token = try #require(BearerToken("SECRET"))
    let authorization = try BearerAuthorization(baseURL: url, token: token) { _ in token }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Key": "SECRET"]
    let options = HTTPOptions(middleware: [authorization, OwnStep()], configuration: configuration)
    let values: [Any] = [
      authorization, options, try HTTPStorefront(baseURL: url, options: options),
      try HTTPClosureStorefront(baseURL: url, options: options),
    ]
    for value in values {
      for text in texts(of: value) { #expect(!text.contains("SECRET"), "\(type(of: value)): \(text)") }
    }
  }

  @Test("a redirection that is not followed, and a URL that names no file")
  func urls() async throws {
    let transport = ScriptedTransport()
    let client = try StorefrontClient.http(
      .async, StorefrontClient.shop, over: transport,
      options: HTTPOptions(retry: .none, clock: VirtualClock()))
    let call = Task { try await client.orders() }
    try await transport.answer(1, 302, ["Location": "https://ada:SECRET@other.example/a?code=SECRET#SECRET"])
    await #expect(throws: ServiceError.redirected(to: "https://other.example/a")) { try await call.value }
    let url = try #require(URL(string: "https://ada:SECRET@other.example/a?code=SECRET"))
    #expect(throws: StorageError.invalidLocation("https://other.example/a")) { try FileStore<Int>(at: url) }
  }
}
