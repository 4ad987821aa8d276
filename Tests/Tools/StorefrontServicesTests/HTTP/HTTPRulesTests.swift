import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@testable import StorefrontServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The rules of the HTTP storefront that need no server.
@Suite("HTTP rules", .timeLimit(.minutes(5)), .endsWaits)
struct HTTPRulesTests {
  @Test("a URL that cannot be parsed is not reported as a URL of another protocol")
  func malformedBase() throws {
    #expect(BaseURL.brokenRule(of: nil) == .malformed)
    let url = try #require(URL(string: "http://shop.example"))
    #expect("\(BaseURLError(url: url, reason: .malformed))".hasSuffix("it is not a valid URL"))
  }

  @Test(
    "a read follows a redirection to the same host and port, and from HTTP to HTTPS",
    arguments: [
      ("http://a.example/x", "/y", "http://a.example/y"),
      ("http://a.example/x/", "y", "http://a.example/x/y"),
      ("http://a.example/x", "http://A.example:80/y", "http://A.example:80/y"),
      ("https://a.example/x", "https://a.example:443/y", "https://a.example:443/y"),
      ("http://a.example/x", "https://a.example/y", "https://a.example/y"),
      ("https://a.example/x", "http://a.example/y", nil), ("https://a.example/x", "//b.example/y", nil),
      ("http://a.example/x", "http://a.example:8080/y", nil),
      ("http://a.example:8080/x", "http://a.example/y", nil),
      ("http://a.example:8080/x", "https://a.example/y", "https://a.example/y"),
      ("http://a.example:8080/x", "https://a.example:8080/y", "https://a.example:8080/y"),
      ("http://a.example/x", "https://a.example:9999/y", nil),
      ("http://a.example/x", "http://eve:secret@a.example/y", nil),
      ("http://a.example/x", "http://eve@a.example/y", nil),
      ("http://a.example/x", "ftp://a.example/y", nil),
    ] as [(String, String, String?)])
  func redirection(url: String, location: String, next: String?) throws {
    let url = try #require(URL(string: url))
    var request = URLRequest(url: url)
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: ["Location": location]))
    let target = try #require(Redirection.target(of: response, for: request))
    #expect(Redirection.request(after: request, to: target)?.url?.absoluteString == next)
    for method in ["POST", "PUT", "DELETE"] {
      request.httpMethod = method
      #expect(Redirection.request(after: request, to: target) == nil, "\(method)")
    }
  }

  @Test(
    "a failure of the session becomes the error on which a caller can act",
    arguments: [
      (.timedOut, .timedOut), (.notConnectedToInternet, .offline), (.dataNotAllowed, .offline),
      (.cannotFindHost, .unreachable("the host is unknown")),
      (.secureConnectionFailed, .insecure), (.serverCertificateUntrusted, .insecure),
      (.cannotParseResponse, .malformed("it is not HTTP")), (.networkConnectionLost, .connectionLost),
      (.badURL, .connectionLost),
    ] as [(URLError.Code, ServiceError)])
  func failures(code: URLError.Code, expected: ServiceError) {
    for isSecure in [false, true] {
      for hasHead in [false, true] {
        #expect(ServiceError(URLError(code), isSecure: isSecure, hasHead: hasHead) == expected)
      }
    }
  }

  @Test("a connection that is refused after the head of a response was lost")
  func refused() {
    let error = URLError(.cannotConnectToHost)
    let refused = ServiceError.unreachable("the host does not accept the connection")
    #expect(ServiceError(error, isSecure: false, hasHead: false) == refused)
    #expect(ServiceError(error, isSecure: false, hasHead: true) == .connectionLost)
  }

  @Test("an unknown failure before the head of a secure response is a failure of TLS")
  func unknownFailure() {
    let error = URLError(.unknown)
    #expect(ServiceError(error, isSecure: true, hasHead: false) == .insecure)
    #expect(ServiceError(error, isSecure: true, hasHead: true) == .connectionLost)
    #expect(ServiceError(error, isSecure: false, hasHead: false) == .connectionLost)
  }

  @Test(
    "an error of a transport becomes a service error, also if the transport cancels the request by itself",
    arguments: [
      (URLError(.cancelled), .connectionLost), (CancellationError(), .connectionLost),
      (UnknownError(), .connectionLost), (URLError(.timedOut), .timedOut),
      (URLError(.cannotParseResponse), .malformed("GET /profile: it is not HTTP")),
    ] as [(any Error & Sendable, ServiceError)])
  func transportErrors(error: any Error & Sendable, expected: ServiceError) async throws {
    let url = try #require(URL(string: "http://shop.example"))
    let storefront = try HTTPStorefront(
      baseURL: url, transport: FailingTransport(error: error),
      options: HTTPOptions(retry: .none, clock: VirtualClock()))
    await #expect(throws: expected) { try await storefront.profile() }
  }

  private struct UnknownError: Error {}

  private struct FailingTransport: HTTPTransport {
    let error: any Error & Sendable

    func send(
      _ request: URLRequest, completion: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
    ) -> CancellationToken {
      completion(.failure(error))
      return .finished
    }
  }

  @Test("a text from a server loses its invisible characters and is shortened")
  func presentable() {
    #expect("no\u{1B}[31m\r\nroute\0\u{202E}\u{2028}x".presentable == "no [31m  route   x")
    #expect(String(repeating: "ä", count: 200).presentable == String(repeating: "ä", count: 200))
    #expect(String(repeating: "ä", count: 201).presentable == String(repeating: "ä", count: 200) + "…")
    #expect(("a" + String(repeating: "\u{301}", count: 1_000)).presentable.unicodeScalars.count == 201)
  }
}
