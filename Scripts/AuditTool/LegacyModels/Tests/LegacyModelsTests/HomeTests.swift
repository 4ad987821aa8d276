import AsyncViewModelsSimulation
import Testing

@testable import Home

@Suite("home: a dispatch group", .timeLimit(.minutes(5)))
struct HomeTests {
  private final class Services: BannerService, RecommendationService, OrderService {
    let banners = Requests<Void, Result<Banner, Error>>()
    let recommendations = Requests<Int, Result<[Product], Error>>()
    let orders = Requests<Void, Result<[OrderSummary], Error>>()

    func fetchBanner(completion: @escaping (Result<Banner, Error>) -> Void) { banners.add((), completion) }

    func fetchRecommendations(limit: Int, completion: @escaping (Result<[Product], Error>) -> Void) {
      recommendations.add(limit, completion)
    }

    func fetchOpenOrders(completion: @escaping (Result<[OrderSummary], Error>) -> Void) {
      orders.add((), completion)
    }

    /// Answers all parts of a refresh, in an order that the seed chooses.
    func answer(
      _ index: Int, in world: SimulatedWorld, banner: Result<Banner, Error>,
      recommendations products: Result<[Product], Error>, orders summaries: Result<[OrderSummary], Error>
    ) async {
      world.spawn("banner") { self.banners.answer(index, banner) }
      world.spawn("recommendations") { self.recommendations.answer(index, products) }
      world.spawn("orders") { self.orders.answer(index, summaries) }
      await world.settle(movingTime: false)
    }
  }

  private static let sale = Result<Banner, Error>.success(Banner(text: "Sale"))
  private static let products = Result<[Product], Error>.success([Product(name: "tea"), Product(name: "jam")])
  private static let orders = Result<[OrderSummary], Error>.success([OrderSummary(number: 1, status: "sent")])

  private static func screen(_ services: Services) -> HomeScreen {
    HomeScreen(
      viewModel: HomeViewModel(
        bannerService: services, recommendationService: services, orderService: services))
  }

  @Test("all parts appear together, in whichever order they arrive")
  func allParts() async throws {
    try await inAnyOrder { world in
      let services = Services()
      let screen = Self.screen(services)
      await world.onMain { screen.viewWillAppear() }
      await services.answer(
        0, in: world, banner: Self.sale, recommendations: Self.products, orders: Self.orders)
      world.expectEqual(screen.drawn, ["loading", "Sale, 2 products, 1 orders"])
      world.expectEqual(services.recommendations.inputs, [10])
    }
  }

  @Test("nothing appears before the last part")
  func lastPart() async throws {
    try await inAnyOrder { world in
      let services = Services()
      let screen = Self.screen(services)
      await world.onMain { screen.viewWillAppear() }
      await world.onService { services.banners.answer(0, Self.sale) }
      await world.onService { services.orders.answer(0, Self.orders) }
      world.expectEqual(screen.drawn, ["loading"])
      await world.onService { services.recommendations.answer(0, Self.products) }
      world.expectEqual(screen.drawn.count, 2)
    }
  }

  @Test("without banner and recommendations, the orders still appear")
  func partialFailure() async throws {
    try await inAnyOrder { world in
      let services = Services()
      let screen = Self.screen(services)
      await world.onMain { screen.viewWillAppear() }
      await services.answer(
        0, in: world, banner: .failure(ServiceError()), recommendations: .failure(ServiceError()),
        orders: Self.orders)
      world.expectEqual(
        screen.drawn, ["loading", "-, 0 products, 1 orders", "missing banner and recommendations"])
    }
  }

  @Test("without orders, the screen fails, and loads all parts again on demand")
  func retry() async throws {
    try await inAnyOrder { world in
      let services = Services()
      let screen = Self.screen(services)
      await world.onMain { screen.viewWillAppear() }
      await world.onMain { screen.didTapRetry() }
      await services.answer(
        0, in: world, banner: Self.sale, recommendations: Self.products, orders: .failure(ServiceError()))
      await world.onMain { screen.didTapRetry() }
      await services.answer(
        1, in: world, banner: Self.sale, recommendations: Self.products, orders: Self.orders)
      await world.onMain { screen.didTapRetry() }
      world.expectEqual(
        screen.drawn,
        ["loading", "failed: Your orders could not be loaded.", "loading", "Sale, 2 products, 1 orders"])
    }
  }

  @Test("the legacy code shows the refresh that ends last, also if it is the older one")
  func staleRefresh() async throws {
    try await inAnyOrder { world in
      let services = Services()
      let screen = Self.screen(services)
      await world.onMain { screen.viewWillAppear() }
      await world.onMain { screen.viewWillAppear() }
      await services.answer(
        1, in: world, banner: Self.sale, recommendations: Self.products, orders: Self.orders)
      await services.answer(
        0, in: world, banner: Self.sale, recommendations: .success([]), orders: Self.orders)
      world.expectEqual(
        screen.drawn, ["loading", "loading", "Sale, 2 products, 1 orders", "Sale, 0 products, 1 orders"])
    }
  }
}
