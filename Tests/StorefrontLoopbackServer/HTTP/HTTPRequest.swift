/// A parsed HTTP request.
struct HTTPRequest: Equatable {
  let method: String
  /// The path and the query, percent-encoded.
  let target: String
  let body: [UInt8]
  let keepsAlive: Bool
}
