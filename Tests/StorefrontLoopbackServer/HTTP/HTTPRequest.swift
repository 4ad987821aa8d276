/// A parsed HTTP request.
package struct HTTPRequest: Equatable {
  package let method: String
  /// The path and the query, percent-encoded.
  package let target: String
  package let body: [UInt8]
  let keepsAlive: Bool
  /// The value of the field `Authorization`.
  var authorization: String?
  /// The value of the field `If-None-Match`.
  var ifNoneMatch: String?
  /// The value of the `Last-Event-ID` header.
  var lastEventID: String?
}
