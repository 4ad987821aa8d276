import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request to a storefront server, and the functions that decode the response. An endpoint does not send its
/// request: ``HTTPClient`` does.
package struct Endpoint<Response: Sendable>: Sendable {
  /// The name in error messages, such as `GET /products`.
  var name: String { "\(method) \(path)" }

  let method: String
  let path: String
  let query: [URLQueryItem]
  let body: Data?
  let decode: @Sendable (Data) throws -> Response
  /// Converts a ``Refusal`` to an error that is specific to this endpoint. Returns `nil` if there is no such
  /// error.
  let failure: @Sendable (Refusal) -> (any Error)?

  /// A response with a status other than success.
  struct Refusal: Sendable {
    let status: Int
    /// The reason that the server sent. If the server sent none, the standard description of the status.
    let message: String
    let body: Data
  }

  init(
    _ method: String, _ path: String, query: [URLQueryItem] = [], body: Data? = nil,
    decode: @escaping @Sendable (Data) throws -> Response,
    failure: @escaping @Sendable (Refusal) -> (any Error)? = { _ in nil }
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.decode = decode
    self.failure = failure
  }

  /// The request to the server at `base`.
  func request(to base: URL) -> URLRequest {
    guard var components = URLComponents(url: base, resolvingAgainstBaseURL: true) else {
      preconditionFailure("the base URL cannot be parsed: \(base)")
    }
    components.path = components.path.trimmingSuffix("/") + path
    components.queryItems = query.isEmpty ? nil : query
    // `URLComponents` does not escape a plus, because a query may contain a plus. Servers decode a plus as a
    // space.
    components.percentEncodedQuery = components.percentEncodedQuery?.replacing("+", with: "%2B")
    guard let url = components.url else { preconditionFailure("\(name) at \(base) is not a valid URL") }

    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Accept")
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

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
