import AsyncViewModelsTesting
import AsyncViewModelsUI
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels
import Testing

@Suite("Storefront routes", .timeLimit(.minutes(5)), .endsWaits)
struct StorefrontRouteTests {
  private let links = DeepLinkParser<StorefrontRoute>.storefront

  @Test(
    "a link shows its screen above the list of products",
    arguments: [
      ("storefront://shop", []), ("storefront://shop/", []), ("STOREFRONT://Shop/cart/", [.cart]),
      ("storefront://shop/products", []),
      ("storefront://shop/posts", [.posts]),
      ("storefront://shop/products/7", [.product(7, source: .link)]),
      ("storefront://shop//products//7?utm=mail#top", [.product(7, source: .link)]),
      ("storefront://shop/%63art", [.cart]), ("storefront://shop/orders", [.orders]),
      ("storefront://shop/profile", [.profile]), ("storefront://shop/posts/3", [.posts, .post(3)]),
    ] as [(String, [StorefrontRoute])])
  func good(link: String, routes: [StorefrontRoute]) throws {
    var tree = NavigationTree(root: StorefrontRoute.products, path: RoutePath([.orders]))
    try links.open(#require(URL(string: link)), in: &tree)
    #expect(tree.front.routes == routes)
  }

  @Test(
    "an invalid link throws an error that names the invalid part",
    arguments: [
      ("https://shop/cart", .scheme("https")), ("shop/cart", .scheme("")),
      ("storefront://museum/cart", .host("museum")), ("storefront:/cart", .host("")),
      ("storefront://shop/%FF", .component("%FF")),
      ("storefront://shop/moon", .component("moon")),
      ("storefront://shop/cart/7", .component("7")), ("storefront://shop/Cart", .component("Cart")),
      ("storefront://shop/products/7/edit", .component("edit")),
      ("storefront://shop/cart%2Fproducts", .component("cart/products")),
      ("storefront://shop/products/seven", .id("seven", of: "product")),
      ("storefront://shop/posts/x", .id("x", of: "post")),
      ("storefront://shop/products/-7", .id("-7", of: "product")),
      ("storefront://shop/products/0", .id("0", of: "product")),
      ("storefront://shop/products/+7", .id("+7", of: "product")),
      ("storefront://shop/products/%2B7", .id("+7", of: "product")),
      ("storefront://shop/posts/007", .id("007", of: "post")),
      ("storefront://shop/products/99999999999999999999", .id("99999999999999999999", of: "product")),
    ] as [(String, DeepLinkParserError)])
  func bad(link: String, error: DeepLinkParserError) throws {
    let url = try #require(URL(string: link))
    var tree = NavigationTree(root: StorefrontRoute.products)
    #expect(throws: error) { try links.open(url, in: &tree) }
  }

  @Test(
    "a stored tree with an id that no link can have cannot be decoded",
    arguments: [.product(-5, source: .list), .product(0, source: .list), .post(-5)] as [StorefrontRoute])
  func badRestoration(route: StorefrontRoute) throws {
    let tree = NavigationTree(root: StorefrontRoute.products, path: RoutePath([route]))
    let data = try JSONEncoder().encode(tree)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(NavigationTree<StorefrontRoute>.self, from: data)
    }
    #expect("\(try #require(error))".contains("invalid id: "))
  }

  @Test("a route of the posts screen converts to a route of the storefront")
  func routeOfAScreen() async throws {
    try await LeakTracker.check { tracker in
      let model = tracker.track(NavigationModel.storefront())
      try await withLoadedPosts(.async) { posts, _ in
        var events = posts.events().makeAsyncIterator()
        try posts.select(2)
        guard case .route(let route)? = await events.next() else {
          Issue.record("the posts screen sent no route")
          return
        }
        model.push(StorefrontRoute(route))
      }
      #expect(model.tree.top == .post(2))
    }
  }
}
