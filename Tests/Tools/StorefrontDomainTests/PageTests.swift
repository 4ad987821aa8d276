import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
import StorefrontTesting
import Testing

/// Pages by number and by cursor, and their wire format.
@Suite("Page", .timeLimit(.minutes(5)), .endsWaits)
struct PageTests {
  @Test(
    "a page of either kind has its wire format and survives encoding and decoding",
    arguments: [
      (Page(items: [1], index: 2, isLast: false), #"{"index":2,"isLast":false,"items":[1]}"#),
      (Page(items: [], index: 2, isLast: true), #"{"index":2,"isLast":true,"items":[]}"#),
      (Page([1], cursor: "a+b/c="), #"{"items":[1],"next":"a+b\/c="}"#),
      (Page([], cursor: nil), #"{"items":[],"next":null}"#),
    ])
  func wireFormat(page: Page<Int>, json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(page), as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(Page<Int>.self, from: Data(json.utf8)) == page)
  }

  @Test("the last page by cursor has a null cursor, and a null cursor does not disturb a number")
  func end() throws {
    func page(_ json: String) throws -> Page<Int> {
      try JSONDecoder().decode(Page<Int>.self, from: Data(json.utf8))
    }
    #expect(try page(#"{"items":[1],"next":null}"#) == Page([1], cursor: nil))
    #expect(
      try page(#"{"items":[1],"index":0,"isLast":true,"next":null}"#)
        == Page(items: [1], index: 0, isLast: true))
  }

  @Test(
    "a page that mixes both kinds, or breaks the rules of its kind, does not decode",
    arguments: [
      #"{"items":[1],"index":0,"isLast":false,"next":"a"}"#, #"{"items":[1],"index":0,"next":"a"}"#,
      #"{"items":[1],"isLast":true,"next":"a"}"#, #"{"items":[1],"index":0}"#,
      #"{"items":[1],"isLast":true}"#, #"{"items":[1]}"#, #"{"items":[1],"nextCursor":"a"}"#,
      #"{"items":[1],"next":""}"#, #"{"items":[1],"next":1}"#, #"{"next":"a"}"#, "[1]",
    ])
  func mixed(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Page<Int>.self, from: Data(json.utf8))
    }
  }

  @Test("the next request has the position that the page contains, and the same size")
  func next() {
    let request = PageRequest(size: 7)
    #expect(request == PageRequest(index: 0, size: 7))
    #expect(request.isFirst && request.position == .start)
    #expect(request.next(after: Page([1], cursor: "a")) == PageRequest(cursor: "a", size: 7))
    #expect(request.next(after: Page(items: [1], index: 0, isLast: false)) == PageRequest(index: 1, size: 7))
    #expect(request.next(after: Page([1], cursor: nil)) == nil)
    #expect(!PageRequest(cursor: "a", size: 7).isFirst && PageRequest(cursor: "a", size: 7).index == nil)
  }

  @Test("a mapped page keeps its place")
  func map() {
    #expect(Page([1, 2], cursor: "a").map { "\($0)" } == Page(["1", "2"], cursor: "a"))
    #expect(
      Page(items: [1], index: 3, isLast: false).map { 0 - $0 } == Page(items: [-1], index: 3, isLast: false))
  }

  @Test("no description of a request or an error contains the whole of a long cursor")
  func secrecy() {
    let secret = "secret"
    let cursor = PageCursor(rawValue: "0123456789abcdef" + secret)
    let request = PageRequest(at: .cursor(cursor), size: 1)
    let page = Page(items: [1], next: cursor)
    var dumped = ""
    dump(request, to: &dumped)
    dump(page, to: &dumped)
    dump(PageError.expired(cursor), to: &dumped)
    for text in [
      "\(cursor)", String(reflecting: cursor), "\(request)", String(reflecting: request), "\(page)",
      PageError.expired(cursor).localizedDescription, dumped,
    ] {
      #expect(!text.contains(secret), "\(text)")
      #expect(text.contains("0123456789abcdef…"))
    }
    #expect("\(PageCursor(rawValue: "short"))" == "short")
  }
}
