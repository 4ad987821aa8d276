import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import Testing

@testable import StorefrontServices

/// Pages with elements that cannot be decoded.
@Suite("Partial pages", .timeLimit(.minutes(5)), .endsWaits)
struct PartialPageTests {
  private static let good = #"{"id":NUMBER,"title":"Tea","body":"Hot"}"#

  /// Elements that are no post.
  private static let bad = [
    "null", "7", "{}", "[]", #"{"id":0,"title":"","body":""}"#, #"{"id":1.5,"title":"","body":""}"#,
  ]

  private func json(_ elements: [String]) -> String {
    #"{"items":[\#(elements.joined(separator: ","))],"next":"c"}"#
  }

  private func post(_ number: Int) -> String { Self.good.replacing("NUMBER", with: "\(number)") }

  @Test("a page leaves out elements that cannot be decoded", arguments: ServiceForm.allCases, bad)
  func omitted(form: ServiceForm, element: String) async throws {
    let body = json([post(1), element, element, post(2)])
    let client = try StorefrontClient.http(
      form, StorefrontClient.shop, over: AnsweringTransport { _ in (200, body) },
      options: HTTPOptions(retry: .none))
    let page = try await client.postsPage(PageRequest(size: 4))
    #expect(page.items.map(\.id) == [1, 2])
    #expect(page.omittedCount == 2)
    #expect(page.next == .cursor(PageCursor(rawValue: "c")))
    #expect(page.map(\.title).omittedCount == 2)
    await #expect(throws: ServiceError.self, "left out elements count toward the size") {
      try await client.postsPage(PageRequest(size: 3))
    }
  }

  @Test("a storefront can refuse such a page", arguments: ServiceForm.allCases, bad)
  func strict(form: ServiceForm, element: String) async throws {
    let bodies = [json([post(1), element, post(2)]), json([post(1), post(2)])]
    var options = HTTPOptions(retry: .none)
    options.needsAllPageItems = true
    let client = try StorefrontClient.http(
      form, StorefrontClient.shop, over: AnsweringTransport { (200, bodies[$0 - 1]) }, options: options)
    let error = await #expect(throws: ServiceError.self) { try await client.posts() }
    guard case .malformed? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(try await client.posts().count == 2)
  }

  @Test("a page without an element that can be decoded is an error, and an empty page is not")
  func noElement() throws {
    for element in Self.bad {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Page<Post>.self, from: Data(json([element, element]).utf8))
      }
    }
    let empty = try JSONDecoder().decode(Page<Post>.self, from: Data(json([]).utf8))
    #expect(empty.items.isEmpty && empty.omittedCount == 0)
  }
}
