import AsyncViewModelsUI
import Foundation
import Testing
import ToolkitTestSupport

@Suite("DeepLinkParser", .timeLimit(.minutes(5)))
struct DeepLinkParserTests {
  private let links = DeepLinkParser<TestRoute>.test

  @Test(
    "a link changes the tree to show its screen",
    arguments: [
      ("test://app", []), ("test://app/", []), ("TEST://App/cart/", [.cart]),
      ("test://app/products", [.products]),
      ("test://app//products//7?utm=mail#top", [.products, .product(7)]),
      ("test://app/%63art", [.cart]),
    ] as [(String, [TestRoute])])
  func good(link: String, routes: [TestRoute]) throws {
    #expect(try opened(links, link) == routes)
  }

  @Test("the case of a parser's scheme and host does not matter")
  func upperCase() throws {
    let links = DeepLinkParser<TestRoute>(scheme: "Test", host: "App") { _, tree in
      tree.front = RoutePath([.cart])
    }
    #expect(try opened(links, "test://app/cart") == [.cart])
  }

  @Test(
    "a host has many spellings, and each of them is accepted",
    arguments: [
      "bücher.example", "BÜCHER.example.", "B%C3%BCcher.example", "xn--bcher-kva.example",
      "XN--BCHER-KVA.Example.",
    ],
    [
      "bücher.example", "b\u{75}\u{308}cher.example", "BÜCHER.example", "B%C3%BCcher.example",
      "xn--bcher-kva.example",
      "XN--BCHER-KVA.EXAMPLE.", "b%75%CC%88cher.example",
    ])
  func spellings(expected: String, found: String) throws {
    let links = DeepLinkParser<TestRoute>(scheme: "test", host: expected) { _, tree in
      tree.front = RoutePath([.cart])
    }
    #expect(try opened(links, "test://\(found)/cart") == [.cart])
  }

  @Test(
    "a host that only resembles the expected host is rejected",
    arguments: [
      "bucher.example", "b%2Fcher.example", "bücher.example.evil", "bücher.example%2F.evil",
      "xn--bcher.example",
    ])
  func otherHosts(found: String) throws {
    let links = DeepLinkParser<TestRoute>(scheme: "test", host: "bücher.example") { _, tree in
      tree.front = RoutePath([.cart])
    }
    #expect(throws: DeepLinkParserError.self) { try opened(links, "test://\(found)/cart") }
  }

  @Test("hosts without letters or dots are compared, too", arguments: ["[::1]", "127.0.0.1", "a_b", "app"])
  func otherForms(host: String) throws {
    let links = DeepLinkParser<TestRoute>(scheme: "test", host: host) { _, tree in
      tree.front = RoutePath([.cart])
    }
    #expect(try opened(links, "test://\(host)/cart") == [.cart])
  }

  @Test("a host that is no valid host of a link matches no link")
  func invalidHost() throws {
    let links = DeepLinkParser<TestRoute>(scheme: "test", host: "100%") { _, tree in
      tree.front = RoutePath([.cart])
    }
    #expect(throws: DeepLinkParserError.host("app")) { try opened(links, "test://app/cart") }
  }

  @Test(
    "an unknown link is rejected, and the error names the first wrong component",
    arguments: [
      ("https://app/cart", .scheme("https")), ("app/cart", .scheme("")),
      ("test://museum/cart", .host("museum")),
      ("test:/cart", .host("")), ("test://user@app/cart", .authority("app")),
      ("test://:secret@app/cart", .authority("app")), ("test://app:80/cart", .authority("app")),
      ("test://app:99999999999999999999/cart", .authority("app")),
      ("test://app/%FF", .component("%FF")),
      ("test://app/moon", .component("moon")),
      ("test://app/Cart", .component("Cart")), ("test://app/cart%2Fproducts", .component("cart/products")),
      ("test://app/products/seven", .id("seven", of: "product")),
    ] as [(String, DeepLinkParserError)])
  func bad(link: String, error: DeepLinkParserError) throws {
    #expect(throws: error) { try opened(links, link) }
  }

  @Test(
    "a route that differs from itself is rejected",
    arguments: [("test://app/1.5/nan", "nan"), ("test://app", "")])
  func notANumber(link: String, component: String) throws {
    let links = DeepLinkParser<Double>(scheme: "test", host: "app") { components, tree in
      tree.front = RoutePath(components.isEmpty ? [.nan] : components.compactMap(Double.init))
    }
    let url = try #require(URL(string: link))
    var tree = NavigationTree(root: 0.0)
    #expect(throws: DeepLinkParserError.component(component)) { try links.open(url, in: &tree) }
    #expect(tree == NavigationTree(root: 0))
  }

  @Test("a link that is rejected late leaves the tree as it was")
  func lateRejection() throws {
    let links = DeepLinkParser<TestRoute>(scheme: "test", host: "app") {
      components, tree throws(DeepLinkParserError) in
      tree.front = RoutePath([.cart])
      throw .component(components.first ?? "")
    }
    let url = try #require(URL(string: "test://app/moon"))
    var tree = NavigationTree(root: TestRoute.home, path: RoutePath([.orders]))
    #expect(throws: DeepLinkParserError.component("moon")) { try links.open(url, in: &tree) }
    #expect(tree.front.routes == [.orders])
  }

  /// The routes that a link shows above the root, instead of the orders.
  private func opened(_ links: DeepLinkParser<TestRoute>, _ link: String) throws -> [TestRoute] {
    var tree = NavigationTree(root: TestRoute.home, path: RoutePath([.orders]))
    try links.open(#require(URL(string: link)), in: &tree)
    return tree.front.routes
  }
}
