import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import AsyncViewModelsUI
import Foundation
import StorefrontDomain
import StorefrontTesting
import StorefrontViewModels

extension Scenario {
  static let screensFollowThePath = Scenario(
    "screens/follow-the-path",
    """
    a stack of screens follows a path that taps, the back button and a link change at the same time: the \
    stack ends with the screens of the path; screens of one product share a view model, which does not \
    request a loaded product again; a screen that is left cancels only its own load; at the root, all \
    pushed screens are released
    """, tasks: 4
  ) { world in
    let tracker = LeakTracker()
    let service = CountedDetails(world: world)
    try await follow(world, service, tracker)
    await world.settle()
    world.expectEqual(tracker.survivors, [], "kept alive:")
  }

  @MainActor
  private static func follow(
    _ world: SimulatedWorld, _ service: CountedDetails, _ tracker: LeakTracker
  ) async throws {
    let made = EventLog<CatalogProduct.ID>()
    let navigation = NavigationModel.storefront()
    let store = ViewModelStore<CatalogProduct.ID, ProductDetailViewModel>(
      retention: .seconds(1), clock: world.clock, isolation: MainActor.shared
    ) { id in
      made.append(id)
      return tracker.track(
        ProductDetailViewModel(itemID: id, source: .list, service: service, isolation: MainActor.shared))
    }
    // The loads that ended without a product, because their screen was left.
    let abandoned = EventLog<Void>()
    let stack = tracker.track(
      NavigationScreenContainer(root: tracker.track(ProductScreen(nil, nil, abandoned, in: world))))
    let window = tracker.track(ScreenHost(stack), "window")
    try window.show()
    stack.follow(navigation) { route in
      let lease = route.product.map { id in store.assumeIsolated { $0.lease(id) } }
      return tracker.track(ProductScreen(route, lease, abandoned, in: world))
    }

    world.spawn("taps") {
      for id in [1, 2, 1] {
        navigation.push(.product(CatalogProduct.ID(rawValue: id), source: .list))
        try await world.faults.latency()
      }
    }
    world.spawn("goes back", canBeLeftOut: true) {
      try await world.faults.latency()
      _ = try? navigation.update { try $0.front.pop() }
      try await world.faults.latency()
      _ = try? await MainActor.run { try stack.pop() }
    }
    world.spawn("opens a link", canBeLeftOut: true) {
      try await world.faults.latency()
      if let link = URL(string: "storefront://shop/products/2") { try navigation.open(link) }
    }
    await world.settle()
    let shownRoutes = stack.screens.compactMap { ($0.screen as? ProductScreen)?.route }
    let routes = navigation.tree.front.routes
    world.expectEqual(shownRoutes, routes, "on the stack:")
    let shown = Set(routes.compactMap(\.product))
    world.expectEqual(
      store.counts, ViewModelCounts(inUse: shown.count, leases: routes.compactMap(\.product).count))
    let most = made.values.count + abandoned.begun
    world.expect(service.calls.begun <= most, "a loaded product was requested again")

    navigation.update { $0.front.popToRoot() }
    await world.settle()
    world.expectEqual(store.counts, ViewModelCounts(), "at the root:")
  }
}

extension StorefrontRoute {
  fileprivate var product: CatalogProduct.ID? {
    if case .product(let id, _) = self { id } else { nil }
  }
}

/// A screen that holds the view model of a product as long as the screen lives. The root screen has no view model.
@MainActor
private final class ProductScreen: HostedScreen {
  /// The route of the screen. The root screen has none.
  let route: StorefrontRoute?
  private let lease: ViewModelLease<ProductDetailViewModel>?
  private let abandoned: EventLog<Void>
  private let world: SimulatedWorld

  init(
    _ route: StorefrontRoute?, _ lease: ViewModelLease<ProductDetailViewModel>?, _ abandoned: EventLog<Void>,
    in world: SimulatedWorld
  ) {
    self.route = route
    self.lease = lease
    self.abandoned = abandoned
    self.world = world
  }

  func didLoad(in host: ScreenHost) {
    guard let model = lease?.model else { return }
    host.bindings.run { [abandoned, world] in
      await model.load()
      guard model.state.content.value == nil else { return }
      world.expect(Task.isCancelled, "a load ended without a product")
      abandoned.begin()
    }
  }
}

private struct CountedDetails: DetailService {
  let world: SimulatedWorld
  let calls = EventLog<Void>()

  func detail(of id: CatalogProduct.ID) async throws -> CatalogProduct {
    calls.begin()
    try await world.faults.latency()
    return CatalogProduct(id: id, name: "Tea", price: .zero(in: .eur), stock: 1)
  }
}
