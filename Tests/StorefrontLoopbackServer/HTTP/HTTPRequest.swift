/// A request as it stood on the wire.
struct HTTPRequest: Equatable {
  let method: String
  /// Path and query, still encoded.
  let target: String
  let body: [UInt8]
  let keepsAlive: Bool
}
