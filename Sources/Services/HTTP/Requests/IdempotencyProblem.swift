import Foundation
package import StorefrontDomain

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server says about the key of a write that it has not made
/// (draft-ietf-httpapi-idempotency-key-header, section 2.7).
///
/// The response is a problem (RFC 9457). Its type tells it from other errors with the same status,
/// such as a conflict with the stored data.
package enum IdempotencyProblem: String, Sendable {
  /// The write has no key. The status is 400.
  case missing = "https://storefront.example/problems/idempotency-key-missing"
  /// Another write had the key. The status is 422.
  case reused = "https://storefront.example/problems/idempotency-key-reused"
  /// The server is still making the write. The status is 409.
  case inProgress = "https://storefront.example/problems/idempotency-key-in-progress"

  package static let contentType = "application/problem+json"

  package var status: Int {
    switch self {
    case .missing: 400
    case .inProgress: 409
    case .reused: 422
    }
  }

  package var title: String {
    switch self {
    case .missing: "Idempotency-Key is missing"
    case .inProgress: "A request is outstanding for this Idempotency-Key"
    case .reused: "Idempotency-Key is already used"
    }
  }

  private struct Body: Decodable {
    let type: String
  }

  /// The problem that a response reports, if any.
  init?(_ response: TransportResponse) {
    guard [400, 409, 422].contains(response.head.statusCode), response.head.isProblem,
      let body = try? JSONDecoder().decode(Body.self, from: response.body),
      let problem = Self(rawValue: body.type), problem.status == response.head.statusCode
    else { return nil }
    self = problem
  }

  /// The error of a write with this key, or `nil` if the status says enough.
  func error(for key: IdempotencyKey) -> ServiceError? {
    switch self {
    case .missing: nil
    case .inProgress: .stillInProgress(key)
    case .reused: .keyReused(key)
    }
  }
}

/// The field of a request that identifies its write.
package enum IdempotencyField {
  package static let name = "Idempotency-Key"

  /// The value of the field: a string of a structured field (RFC 9651, section 3.3.3). No key needs
  /// an escape.
  package static func value(of key: IdempotencyKey) -> String { "\"\(key.text)\"" }

  /// The key in a value of the field, if it is a string and a key.
  package static func key(in value: String) -> IdempotencyKey? {
    guard value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return nil }
    return IdempotencyKey(String(value.dropFirst().dropLast()))
  }
}
