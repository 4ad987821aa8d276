#if canImport(UIKit) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import UIKit

  enum AppRoute: Hashable, Sendable {
    case list, cart, product(Int), filter

    static let links = DeepLinkParser<AppRoute>(scheme: "shop", host: "app") { _, tree in tree.dismissAll() }
  }

  struct Filter: Sendable {}

  /// The examples of the page `UsingUIKit`, which must compile as a client writes them.
  enum UIKitExamples {
    enum CartAction: Hashable, Sendable { case retry }

    struct CartState: Sendable {
      var items: [String] = []
    }

    actor CartViewModel: ViewModelActor {
      nonisolated let modelState = ModelState(CartState())
      nonisolated let alerts = EventChannel<AlertState<CartAction>>()
      func load() async {}
      func perform(_ action: CartAction) async {}
    }

    final class CartViewController: UIViewController {
      private let model: CartViewModel
      private let bindings = ScreenBindings()

      init(model: CartViewModel) {
        self.model = model
        super.init(nibName: nil, bundle: nil)
      }

      @available(*, unavailable)
      required init?(coder: NSCoder) { fatalError("not archived") }

      override func viewDidLoad() {
        super.viewDidLoad()
        bindings.observe(model, on: self) { controller, state in controller.render(state) }
        bindings.run { [model] in await model.load() }
      }

      private func render(_ state: CartState) { title = "\(state.items.count) items" }
    }

    typealias CatalogState = Loadable<[String]>
    typealias CatalogViewModel = StateStore<CatalogState>

    class ModelViewController: UIViewController {
      init(model: CatalogViewModel) { super.init(nibName: nil, bundle: nil) }

      @available(*, unavailable)
      required init?(coder: NSCoder) { fatalError("not archived") }
    }

    final class ProductListViewController: ModelViewController {}
    final class RetryViewController: ModelViewController {}
    final class SpinnerViewController: UIViewController {}
    final class EmptyViewController: UIViewController {}

    final class CatalogViewController: UIViewController {
      private let model = CatalogViewModel(Loadable())

      private lazy var states = StateViewControllers(in: self, fade: .milliseconds(250)) {
        [unowned self] state in
        switch state {
        case .idle, .loading: SpinnerViewController()
        case .loaded: ProductListViewController(model: model)
        case .failed: RetryViewController(model: model)
        case .empty: EmptyViewController()
        }
      }

      private func render(_ state: CatalogState) { states.show(state.content) }
    }

    final class ProductViewController: UIViewController {
      init(lease: ViewModelLease<CartViewModel>) { super.init(nibName: nil, bundle: nil) }

      @available(*, unavailable)
      required init?(coder: NSCoder) { fatalError("not archived") }
    }

    @MainActor
    final class Coordinator {
      private let cart = CartViewModel()
      private let products = ViewModelStore<Int, CartViewModel>(isolation: MainActor.shared) { _ in
        CartViewModel()
      }
      private var delegate: NavigationTreeDelegate<AppRoute>?

      func show(in tabs: UITabBarController) {
        let navigation = NavigationModel<AppRoute>(
          NavigationTree(.tabs([.stack(.list), .stack(.cart)])), links: AppRoute.links)
        tabs.viewControllers = [UINavigationController(), UINavigationController()]
        delegate = NavigationTreeDelegate(of: tabs, following: navigation) {
          [cart, products, navigation] entry in
          switch entry.route {
          case .list: ListViewController()
          case .cart: CartViewController(model: cart)
          case .product(let id): ProductViewController(lease: products.assumeIsolated { $0.lease(id) })
          case .filter: FilterViewController { navigation.finish(.filter, of: entry, with: $0) }
          }
        }
      }
    }

    final class ListViewController: UIViewController {}

    final class FilterViewController: UIViewController {
      init(onDone: @escaping (Filter) -> Void) { super.init(nibName: nil, bundle: nil) }

      @available(*, unavailable)
      required init?(coder: NSCoder) { fatalError("not archived") }
    }
  }

  extension ResultRoute where Route == AppRoute, Result == Filter {
    static var filter: Self { Self(.filter) }
  }

  @MainActor
  private func choose(_ navigation: NavigationModel<AppRoute>) async -> Filter? {
    // `nil` if the user closes the sheet.
    let filter = await navigation.present(.filter)
    return filter
  }

  protocol FilterChoice: Sendable {
    func filter() async -> Filter?
  }

  extension NavigationModel<AppRoute>: FilterChoice {
    func filter() async -> Filter? { await present(.filter) }
  }

  extension UIKitExamples {
    // What the storefront has.
    struct Offer: Sendable {}

    enum PostsEvent: Sendable {
      case alert(AlertState<CartAction>), offer(Offer), route(AppRoute)
    }

    actor PostsViewModel {
      nonisolated func events() -> AsyncStream<PostsEvent> { EventChannel<PostsEvent>().stream() }
      func perform(_ action: CartAction) async throws {}
    }

    final class RootViewController: UIViewController {
      private let bindings = ScreenBindings()

      func bind(_ model: CartViewModel, _ posts: PostsViewModel) {
        bindings.observe(model.alerts.stream(), on: self) { [model] controller, alert in
          if let action = await controller.choose(from: alert) { await model.perform(action) }
        }
        bindings.observe(posts.events(), on: self) { [posts] controller, event in
          switch event {
          case .alert(let alert):
            // In a task, because the next event waits until this closure returns.
            if let action = await controller.choose(from: alert) { Task { try? await posts.perform(action) } }
          case .offer(let offer): controller.showLine(offer)  // "Undo" calls posts.perform(.restore(id))
          case .route(let route): controller.open(route)
          }
        }
      }

      private func showLine(_ offer: Offer) {}
      private func open(_ route: AppRoute) {}
    }

    protocol PriceService: Sendable {
      func price(of product: Int) async throws -> String
    }

    final class PriceCell: UICollectionViewCell {
      let label = UILabel()
      private let slot = TaskSlot()

      func show(_ product: Int, from service: any PriceService) {
        label.text = nil
        _ = slot.start(on: self) {
          try await service.price(of: product)
        } commit: { cell, outcome in
          cell.label.text = outcome.value
        }
      }

      override func prepareForReuse() {
        super.prepareForReuse()
        slot.cancel()
        label.text = nil
      }
    }

    final class PricesDataSource: NSObject, UICollectionViewDataSource {
      var products: [Int] = []
      private let registration: UICollectionView.CellRegistration<PriceCell, Int>

      init(service: any PriceService) {
        registration = UICollectionView.CellRegistration { cell, _, product in
          cell.show(product, from: service)
        }
      }

      func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
      ) -> UICollectionViewCell {
        collectionView.dequeueConfiguredReusableCell(
          using: registration, for: indexPath, item: products[indexPath.item])
      }

      func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }

      func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        products.count
      }
    }

    final class ProfileViewController: UIViewController {
      let model: CartViewModel

      init?(coder: NSCoder, model: CartViewModel) {
        self.model = model
        super.init(coder: coder)
      }

      @available(*, unavailable)
      required init?(coder: NSCoder) { fatalError("use init(coder:model:)") }
    }

    @MainActor
    static func makeProfile(from storyboard: UIStoryboard, model: CartViewModel) -> UIViewController {
      let controller = storyboard.instantiateViewController(identifier: "profile") { coder in
        ProfileViewController(coder: coder, model: model)
      }
      return controller
    }
  }

  private actor ImageCache {
    private var images: [String: Int] = [:]
    private var warnings: CancellationToken?

    func observeMemory() {
      warnings = NotificationCenter.default.memoryWarnings().observe(on: self) { cache, _ in cache.removeAll()
      }
    }

    private func removeAll() { images = [:] }
  }
#endif
