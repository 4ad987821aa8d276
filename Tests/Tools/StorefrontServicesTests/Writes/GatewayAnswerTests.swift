import AsyncViewModelsRequests
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@testable import StorefrontServices

/// The answer of a gateway to a write whose first answer was lost.
@Suite("A gateway's answer to a repeated write", .timeLimit(.minutes(5)), .endsWaits)
struct GatewayAnswerTests {
  private let change = CartChange(
    product: CatalogProduct(
      id: 1, name: "Mug", price: Money(minorUnits: 1, currency: .eur), stock: 9), delta: 1)

  private func client(
    _ form: ServiceForm, retries: Int, _ answer: @escaping @Sendable (Int) throws -> AnsweringTransport.Answer
  ) throws -> StorefrontClient {
    try StorefrontClient.http(
      form, StorefrontClient.shop, over: AnsweringTransport(answer),
      options: HTTPOptions(retry: HTTPRetryPolicy(backoff: .constant(.zero, limit: retries))))
  }

  @Test(
    "the outcome of a change is unknown if a retry gets the answer of a gateway",
    arguments: ServiceForm.allCases, [400, 402, 403, 404, 405, 410, 413, 415, 431, 451])
  func retry(form: ServiceForm, status: Int) async throws {
    let client = try client(form, retries: 1) { number in
      guard number > 1 else { throw ServiceError.connectionLost }
      return (status, #"{"error":"blocked"}"#)
    }
    await #expect(throws: ServiceError.status(code: status, message: "blocked")) {
      try await client.apply(change)
    }
    await #expect(throws: CartError.self, "the first answer to another change is a refusal") {
      try await client.apply(change)
    }
    #expect(!ServiceError.status(code: status, message: "blocked").isRefusal)
  }

  @Test(
    "a later call with the key of an unanswered change is a repetition, too", arguments: ServiceForm.allCases)
  func laterCall(form: ServiceForm) async throws {
    let client = try client(form, retries: 0) { number in
      switch number {
      case 1: throw ServiceError.timedOut
      case 2: (403, #"{"error":"blocked"}"#)
      case 3: (422, #"{"error":"sold out"}"#)
      default: (403, #"{"error":"no"}"#)
      }
    }
    let key = IdempotencyKey()
    await #expect(throws: ServiceError.timedOut) { try await client.apply(change, key: key) }
    await #expect(throws: ServiceError.status(code: 403, message: "blocked")) {
      try await client.apply(change, key: key)
    }
    for reason in ["sold out", "no"] {
      await #expect(throws: CartError.refused(1, reason: reason)) { try await client.apply(change, key: key) }
    }
  }

  @Test(
    "the service refuses a repeated change with the status 409 or 422", arguments: ServiceForm.allCases,
    [409, 422])
  func refusal(form: ServiceForm, status: Int) async throws {
    let client = try client(form, retries: 1) { number in
      guard number > 1 else { throw ServiceError.connectionLost }
      return (status, #"{"error":"sold out"}"#)
    }
    await #expect(throws: CartError.refused(1, reason: "sold out")) { try await client.apply(change) }
  }

  @Test("no other write is refused by a gateway's answer to its retry", arguments: ServiceForm.allCases)
  func otherWrites(form: ServiceForm) async throws {
    let writes: [(StorefrontClient) async throws -> Void] = [
      { try await $0.restorePost(1) },
      { _ = try await $0.save(Profile.Draft(name: "Ada", email: "ada@example.com"), 1) },
    ]
    for write in writes {
      let client = try client(form, retries: 1) { number in
        guard number > 1 else { throw ServiceError.connectionLost }
        return (404, #"{"error":"blocked"}"#)
      }
      await #expect(throws: ServiceError.status(code: 404, message: "blocked")) { try await write(client) }
    }
  }
}
