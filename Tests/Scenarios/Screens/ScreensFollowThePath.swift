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
    a stack of screens follows a path that taps, the back button and a link change at once: it ends at \
    the path, each product has one view model, even if it is left and entered again, and all are \
    released at the root
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
    let made = EventLog<Product.ID>()
    let path = NavigationModel<StorefrontRoute>(links: .storefront)
    let store = ViewModelStore<Product.ID, ProductDetailViewModel>(
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
        path.push(.product(Product.ID(rawValue: id), source: .list))
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
    world.expect(service.calls.begun <= made.values.count, "a loaded product was requested again")

    path.popToRoot()
    await world.settle()
    world.expectEqual(store.counts, ViewModelCounts(), "at the root:")
  }
}

extension StorefrontRoute {
  fileprivate var product: Product.ID? {
    if case .product(let id, _) = self { id } else { nil }
  }
}

/// Keeps a stack of screens in line with the path.
@MainActor
private final class Coordinator {
  let stack = NavigationScreenContainer(root: ProductScreen(nil))
  private(set) var routes: [StorefrontRoute] = []
  private let store: ViewModelStore<Product.ID, ProductDetailViewModel>
  private let tracker: LeakTracker
  private let world: SimulatedWorld
  private var observation: CancellationToken?

  init(
    _ store: ViewModelStore<Product.ID, ProductDetailViewModel>, _ tracker: LeakTracker,
    _ world: SimulatedWorld
  ) {
    self.store = store
    self.tracker = tracker
    self.world = world
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
      try stack.push(tracker.track(ScreenHost(tracker.track(ProductScreen(lease)))))
    }
  }
}

/// Holds the view model of a product for its lifetime. The root has none.
@MainActor
private final class ProductScreen: HostedScreen {
  private let lease: ViewModelLease<ProductDetailViewModel>?

  init(_ lease: ViewModelLease<ProductDetailViewModel>?) { self.lease = lease }

  func didLoad(in host: ScreenHost) {
    if let model = lease?.model { host.bindings.run { await model.loadIfNeeded().value } }
  }
}

private struct CountedDetails: DetailService {
  let world: SimulatedWorld
  let calls = EventLog<Void>()

  func detail(of id: Product.ID) async throws -> Product {
    calls.begin()
    try await world.faults.latency()
    return Product(id: id, name: "Tea", price: .zero(in: .eur), stock: 1)
  }
}
