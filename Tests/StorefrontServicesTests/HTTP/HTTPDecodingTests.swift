import AsyncViewModels
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Synchronization
import Testing

@testable import StorefrontServices

/// How bodies are decoded in both forms.
@Suite("Decoding of HTTP responses", .timeLimit(.minutes(5)))
struct HTTPDecodingTests {
  private let transport = ScriptedTransport()

  @Test(
    "a number that an integer field cannot represent is an error that names the field",
    arguments: ["1.5", "9223372036854775808", "-9223372036854775809", "1e30"], ServiceForm.allCases)
  func numbers(number: String, form: ServiceForm) async throws {
    let client = try StorefrontClient.http(
      form, StorefrontClient.shop, over: transport, options: HTTPOptions(retry: .none))
    let fields = [
      ("id", #"{"id":NUMBER,"name":"Mug","price":{"minorUnits":1,"currency":"EUR"},"stock":1}"#),
      (
        "price.minorUnits", #"{"id":1,"name":"Mug","price":{"minorUnits":NUMBER,"currency":"EUR"},"stock":1}"#
      ),
      ("stock", #"{"id":1,"name":"Mug","price":{"minorUnits":1,"currency":"EUR"},"stock":NUMBER}"#),
    ]
    for (index, (field, body)) in fields.enumerated() {
      let call = Task { try await client.product(1) }
      try await transport.answer(index + 1, body: body.replacing("NUMBER", with: number))
      let error = await #expect(throws: ServiceError.self) { _ = try await call.value }
      guard case .malformed(let reason) = error else {
        Issue.record("unexpected: \(String(describing: error))")
        return
      }
      #expect(reason.hasPrefix("GET /products/1: \(field): "))
    }
  }

  @Test("the largest version of a profile is a version like another", arguments: [Int.max, .max - 1])
  func largestVersion(version: Int) throws {
    let draft = Profile.Draft(name: "Ada", email: "ada@example.org")
    let json = #"{"current":{"id":1,"name":"Ada","email":"ada@example.org","version":\#(Int.max)}}"#
    let refusal = Endpoint<Profile>.Refusal(status: 409, message: "", body: Data(json.utf8))
    let saved = Endpoint<Profile>.saveProfile(draft, basedOn: version).madeEarlier(refusal)
    #expect(saved?.version == (version == .max ? nil : .max))
  }

  @Test("a caller that is cancelled while its response is decoded receives no value")
  func cancellationWhileDecoding() async throws {
    let client = try HTTPClient(
      baseURL: StorefrontClient.shop, options: HTTPOptions(retry: .none), transport: transport)
    let cancel = Mutex<(@Sendable () -> Void)?>(nil)
    let decoded = Tally()
    let endpoint = Endpoint<Int>("GET", "/number") { _ in
      cancel.withLock { $0 }?()
      decoded.increment()
      return 7
    }
    let call = Task { try await client.value(of: endpoint) }
    cancel.withLock { $0 = { call.cancel() } }
    try await transport.answer(1)
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    try await until { decoded.count == 1 }

    let ending = Monitor<Result<Int, any Error>?>(nil)
    let token = client.load(endpoint) { result in ending.update { $0 = result } }
    cancel.withLock { $0 = { token.cancel() } }
    try await transport.answer(2)
    await ending.wait { $0 != nil }
    #expect(throws: CancellationError.self) { try ending.snapshot?.get() }
    cancel.withLock { $0 = nil }
  }
}
