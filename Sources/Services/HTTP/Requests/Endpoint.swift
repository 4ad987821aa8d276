import Foundation
import StorefrontDomain

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request to a storefront server, and the functions that decode the response.
struct Endpoint<Response: Sendable>: Sendable {
  /// The name in error messages, such as `GET /products`.
  var name: String { "\(method) \(path)" }

  let method: String
  let path: String
  let query: [URLQueryItem]
  let body: Data?
  let key: IdempotencyKey?
  let decode: @Sendable (Data) throws -> Response
  /// Converts a refusal to an error that is specific to this endpoint, if there is one.
  let failure: @Sendable (Refusal) -> (any Error)?
  /// The response to a repeated write that a server without keys refuses because it has made the
  /// write before. `nil` for any other refusal.
  let madeEarlier: @Sendable (Refusal) -> Response?
  /// The reason why the client does not send the request.
  let rejection: PageError?

  /// An error that the service itself reports, in the JSON format of its errors.
  struct Refusal: Sendable {
    let status: Int
    /// The reason that the service sent, made fit for people.
    let message: String
    let body: Data
  }

  init(
    _ method: String, _ path: String, query: [URLQueryItem] = [], body: Data? = nil,
    key: IdempotencyKey? = nil, rejection: PageError? = nil,
    decode: @escaping @Sendable (Data) throws -> Response,
    failure: @escaping @Sendable (Refusal) -> (any Error)? = { _ in nil },
    madeEarlier: @escaping @Sendable (Refusal) -> Response? = { _ in nil }
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.key = key
    self.decode = decode
    self.failure = failure
    self.madeEarlier = madeEarlier
    self.rejection = rejection
  }

  func request(to base: BaseURL) -> URLRequest {
    var request = URLRequest(
      url: base.appending(path, query: query), cachePolicy: .reloadIgnoringLocalCacheData)
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    if let key {
      request.setValue(IdempotencyField.value(of: key), forHTTPHeaderField: IdempotencyField.name)
    }
    if let body {
      request.httpBody = body
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    return request
  }
}

extension Endpoint where Response: Decodable {
  /// Creates a `GET` endpoint that responds with `Response` as JSON.
  init(_ path: String, query: [URLQueryItem] = []) {
    self.init("GET", path, query: query, decode: { try JSONDecoder().decode(Response.self, from: $0) })
  }
}

extension URLRequest {
  /// Checks the method, which a middleware can change. A space would change the target.
  ///
  /// - Throws: `ServiceError.malformed(_:)` if it is not a token (RFC 9110, section 5.6.2).
  func checkMethod() throws(ServiceError) {
    let isToken = (httpMethod ?? "GET").utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
    guard isToken, httpMethod?.isEmpty != true else {
      throw .malformed("the method of the request contains a character that HTTP does not allow")
    }
  }
}
