package import StorefrontDomain
import StorefrontServices

/// A parsed HTTP request.
package struct HTTPRequest: Equatable {
  package let method: String
  /// The path and the query, percent-encoded.
  package let target: String
  package let body: [UInt8]
  let keepsAlive: Bool
  /// The values of the fields that the server uses, by their lowercase names.
  var fields: [String: String] = [:]

  /// The key of a write. `nil` if the field is missing or malformed.
  package var idempotencyKey: IdempotencyKey? {
    fields["idempotency-key"].flatMap { IdempotencyField.key(in: $0) }
  }

  var authorization: String? { fields["authorization"] }
  var ifNoneMatch: String? { fields["if-none-match"] }
  var lastEventID: String? { fields["last-event-id"] }
}
