import AsyncViewModels
import AsyncViewModelsTesting
import Dispatch
import Foundation
import StorefrontDomain
import Synchronization
import Testing

@testable import StorefrontServices

/// How bodies are decoded in both forms.
@Suite("Decoding of HTTP responses", .timeLimit(.minutes(5)), .endsWaits)
struct HTTPDecodingTests {
  private let transport = ScriptedTransport()

  @Test(
    "a number that an integer field cannot represent is an error that names the field",
    arguments: ["1.5", "9223372036854775808", "-9223372036854775809", "1e30"], ServiceForm.allCases)
  func numbers(number: String, form: ServiceForm) async throws {
    let client = try StorefrontClient.http(
      form, StorefrontClient.shop, over: transport,
      options: HTTPOptions(retry: .none, clock: VirtualClock()))
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

  @Test("the error for an invalid number names all fields that may have it, the first of a list")
  func unknownNumbers() throws {
    let many = String(repeating: "1.5,", count: 100)
    let (long, cutOff) = (String(repeating: "n", count: 10_000), String(repeating: "n", count: 200))
    for (json, fields) in [
      (#"{"a":4.5,"b":[{"x":1e2}],"price":{"minorUnits":1.5}}"#, "a or price.minorUnits"),
      (#"[{"a":1},{"a":"1.5\"","b":{}},{"a":1.5},{"b":1.5},{"a":2.5}]"#, "[2].a or [3].b"),
      (#"{"a":[\#(many)1],"b":99999999999999999999}"#, "a[0] or b"),
      (#"{"a":9223372036854775807,"b":1.5"#, "b"),
      (#"{"\#(long)":[{"x":1.5}]}"#, "\(cutOff)[0].x"),
      (#"{"a":1.5,"b":1.5,"c":1.5,"d":1.5,"e":1.5}"#, "a or b or c or d"),
    ] {
      let error = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not valid JSON"))
      let reason = "the number is not an integer in the supported range"
      #expect(error.decodingReason(in: Data(json.utf8)) == "\(fields): \(reason)")
    }
    for json in ["", "{", "1.5", #"{"a":"1.5"}"#, String(repeating: "[", count: 1_000) + "1.5", #"{"a"#] {
      let error = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not valid JSON"))
      #expect(error.decodingReason(in: Data(json.utf8)) == "not valid JSON")
    }
  }

  /// A body that is too long to be decoded by the calling task.
  private static let longBody = "[\(String(repeating: " ", count: DecodingQueue.shortLength))]"

  @Test("long bodies whose decoding takes long delay neither short ones nor cancellations and deadlines")
  func longDecodings() async throws {
    let clock = VirtualClock()
    let limits = HTTPLimits(deadline: .seconds(60), connections: 1_000)
    let client = try HTTPClient(
      baseURL: StorefrontClient.shop, options: HTTPOptions(limits: limits, retry: .none, clock: clock),
      transport: transport)
    let (started, release) = (Tally(), DispatchSemaphore(value: 0))
    let endpoint = Endpoint<Int>("GET", "/long") { _ in
      started.increment()
      release.wait()
      return 7
    }
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
    let calls = (0..<count).map { _ in Task { try await client.value(of: endpoint) } }
    for number in 1...count { try await transport.answer(number, body: Self.longBody) }
    try await until { started.count == 1 }

    let short = Task { try await client.value(of: Endpoint<[Int]>("/short")) }
    try await transport.answer(count + 1, body: "[1]")
    #expect(try await short.value == [1])
    calls[1].cancel()
    await #expect(throws: CancellationError.self) { try await calls[1].value }
    clock.advance(by: .seconds(60))
    for index in calls.indices where index != 1 {
      await #expect(throws: ServiceError.timedOut) { try await calls[index].value }
    }
    release.signal()
    let next = Task { try await client.value(of: Endpoint<[Int]>("/next")) }
    try await transport.answer(count + 2, body: Self.longBody)
    #expect(try await next.value == [])
    #expect(started.count == 1, "an abandoned decoding that has not started does not start")
  }

  @Test(
    "a profile with a number below its range is an error",
    arguments: [
      (#"{"id":0,"name":"","email":"","version":1}"#, "id: invalid id: 0"),
      (#"{"id":1,"name":"","email":"","version":0}"#, "version: invalid version: 0"),
      (#"{"id":0,"name":""}"#, "email: it is missing"),
    ])
  func invalidProfiles(json: String, reason: String) throws {
    let error = #expect(throws: DecodingError.self) {
      _ = try JSONDecoder().decode(Profile.self, from: Data(json.utf8))
    }
    #expect(try #require(error).decodingReason(in: Data(json.utf8)) == reason)
  }

  @Test("the largest version of a profile is a version like another", arguments: [Int.max, .max - 1])
  func largestVersion(version: Int) throws {
    let draft = Profile.Draft(name: "Ada", email: "ada@example.org")
    let json = #"{"current":{"id":1,"name":"Ada","email":"ada@example.org","version":\#(Int.max)}}"#
    let refusal = Endpoint<Profile>.Refusal(status: 409, message: "", body: Data(json.utf8))
    let saved = Endpoint<Profile>.saveProfile(draft, basedOn: version).madeEarlier(refusal)
    #expect(saved?.version == (version == .max ? nil : .max))
  }

  @Test(
    "a caller that is cancelled while its response is decoded receives no value",
    arguments: ["[]", longBody])
  func cancellationWhileDecoding(body: String) async throws {
    let client = try HTTPClient(
      baseURL: StorefrontClient.shop, options: HTTPOptions(retry: .none, clock: VirtualClock()),
      transport: transport)
    let cancel = Mutex<(@Sendable () -> Void)?>(nil)
    let decoded = Tally()
    let endpoint = Endpoint<Int>("GET", "/number") { _ in
      cancel.withLock { $0 }?()
      decoded.increment()
      return 7
    }
    let call = Task { try await client.value(of: endpoint) }
    cancel.withLock { $0 = { call.cancel() } }
    try await transport.answer(1, body: body)
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    try await until { decoded.count == 1 }

    let ending = Monitor<Result<Int, any Error>?>(nil)
    let token = client.load(endpoint) { result in ending.update { $0 = result } }
    cancel.withLock { $0 = { token.cancel() } }
    try await transport.answer(2, body: body)
    await ending.wait { $0 != nil }
    #expect(throws: CancellationError.self) { try ending.snapshot?.get() }
    cancel.withLock { $0 = nil }
  }
}
