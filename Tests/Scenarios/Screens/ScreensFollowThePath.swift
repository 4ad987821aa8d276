import AsyncViewModels
import AsyncViewModelsSimulation
import AsyncViewModelsTesting
import Foundation
import StorefrontDomain
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
    let path = NavigationModel<StorefrontRoute>(links: .storefront)
    let store = ViewModelStore<CatalogProduct.ID, ProductDetailViewModel>(
      retention: .seconds(1), clock: world.clock, isolation: MainActor.shared
    ) { id in
      made.append(id)
      return tracker.track(
        ProductDetailViewModel(itemID: id, source: .list, service: service, isolation: MainActor.shared))
    }
    let coordinator = tracker.track(Coordinator(store, tracker, world))
    let window = tracker.track(ScreenHost(coordinator.stack), "window")
    try window.show()
    coordinator.follow(path.paths())

    world.spawn("taps") {
      for id in [1, 2, 1] {
        path.push(.product(CatalogProduct.ID(rawValue: id), source: .list))
        try await world.faults.latency()
      }
    }
    world.spawn("goes back", canBeLeftOut: true) {
      for _ in 1...2 {
        try await world.faults.latency()
        _ = try? path.pop()
      }
    }
    world.spawn("opens a link", canBeLeftOut: true) {
      try await world.faults.latency()
      if let link = URL(string: "storefront://shop/products/2") { try path.open(link) }
    }
    await world.settle()
    world.expectEqual(coordinator.routes, path.path.routes, "on the stack:")
    world.expectEqual(coordinator.stack.screens.count, path.path.routes.count + 1, "screens:")
    let shown = Set(path.path.routes.compactMap(\.product))
    world.expectEqual(
      store.counts, ViewModelCounts(inUse: shown.count, leases: path.path.routes.compactMap(\.product).count))
    let most = made.values.count + coordinator.abandoned.begun
    world.expect(service.calls.begun <= most, "a loaded product was requested again")

    path.popToRoot()
    await world.settle()
    world.expectEqual(store.counts, ViewModelCounts(), "at the root:")
  }
}

extension StorefrontRoute {
  fileprivate var product: CatalogProduct.ID? {
    if case .product(let id, _) = self { id } else { nil }
  }
}

/// Keeps a stack of screens in line with the path.
@MainActor
private final class Coordinator {
  let stack: NavigationScreenContainer
  /// The loads that ended without a product, because their screen was left.
  let abandoned = EventLog<Void>()
  private(set) var routes: [StorefrontRoute] = []
  private let store: ViewModelStore<CatalogProduct.ID, ProductDetailViewModel>
  private let tracker: LeakTracker
  private let world: SimulatedWorld
  private var observation: CancellationToken?

  init(
    _ store: ViewModelStore<CatalogProduct.ID, ProductDetailViewModel>, _ tracker: LeakTracker,
    _ world: SimulatedWorld
  ) {
    self.store = store
    self.tracker = tracker
    self.world = world
    stack = NavigationScreenContainer(root: ProductScreen(nil, abandoned, in: world))
  }

  func follow(_ paths: AsyncStream<RoutePath<StorefrontRoute>>) {
    observation = paths.observe(on: self) { coordinator, path in
      do throws(ScreenHostError) {
        try coordinator.show(path.routes)
      } catch {
        coordinator.world.fail("\(path.routes): \(error)")
      }
    }
  }

  private func show(_ wanted: [StorefrontRoute]) throws(ScreenHostError) {
    let common = zip(routes, wanted).prefix { $0 == $1 }.count
    if common < routes.count { try stack.pop(to: stack.screens[common]) }
    routes = wanted
    for route in wanted[common...] {
      let lease = route.product.map { id in store.assumeIsolated { $0.lease(id) } }
      let screen = tracker.track(ProductScreen(lease, abandoned, in: world))
      try stack.push(tracker.track(ScreenHost(screen)))
    }
  }
}

/// A screen that holds the view model of a product as long as the screen lives. The root screen has no view model.
@MainActor
private final class ProductScreen: HostedScreen {
  private let lease: ViewModelLease<ProductDetailViewModel>?
  private let abandoned: EventLog<Void>
  private let world: SimulatedWorld

  init(
    _ lease: ViewModelLease<ProductDetailViewModel>?, _ abandoned: EventLog<Void>, in world: SimulatedWorld
  ) {
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
