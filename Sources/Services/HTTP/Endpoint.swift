import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request that a storefront's server understands, and what its answer means. Pure: it sends nothing.
struct Endpoint<Response: Sendable>: Sendable {
  /// The name by which errors speak of it: `GET /products`.
  var name: String { "\(method) \(path)" }

  let method: String
  let path: String
  let query: [URLQueryItem]
  let body: Data?
  let decode: @Sendable (Data) throws -> Response
  /// What a refusal means here; nil where it means nothing in particular.
  let failure: @Sendable (Refusal) -> (any Error)?

  /// An answer with a status other than success.
  struct Refusal: Sendable {
    let status: Int
    /// The server's reason, else what the status means in general.
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
      preconditionFailure("the base URL has no parts: \(base)")
    }
    components.path = components.path.trimmingSuffix("/") + path
    components.queryItems = query.isEmpty ? nil : query
    // A plus is allowed in a query, so it is left alone; but servers read it as a space.
    components.percentEncodedQuery = components.percentEncodedQuery?.replacing("+", with: "%2B")
    guard let url = components.url else { preconditionFailure("no URL for \(name) at \(base)") }

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
  /// An endpoint that answers with `Response` as JSON.
  init(_ path: String, query: [URLQueryItem] = []) {
    self.init("GET", path, query: query, decode: { try JSONDecoder().decode(Response.self, from: $0) })
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
