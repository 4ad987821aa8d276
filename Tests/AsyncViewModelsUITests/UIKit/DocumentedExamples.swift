#if canImport(UIKit) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import UIKit

  // The examples of the pages "Using UIKit" and "Using Combine", which must compile as a client writes them.

  private enum Route: Hashable, Sendable { case cart, product(Int) }
  private enum CartAction: Hashable, Sendable { case retry }

  private final class CartModel: StateSource {
    let store = StateStore(ViewState<[String]>.idle)
    let alerts = EventChannel<AlertState<CartAction>>()
    func load() async {}
    func perform(_ action: CartAction) async {}
  }

  private final class CartViewController: UIViewController {
    private let model: CartModel
    private let bindings = ScreenBindings()
    private lazy var states = StateViewControllers(in: self, fade: .milliseconds(250)) {
      [unowned self] state in
      switch state {
      case .idle, .loading, .empty: UIViewController()
      case .loaded, .failed: CartViewController(model: model)
      }
    }

    init(model: CartModel) {
      self.model = model
      super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { fatalError("not archived") }

    override func viewDidLoad() {
      super.viewDidLoad()
      bindings.observe(model, on: self) { controller, state in controller.render(state) }
      bindings.run { [model] in await model.load() }
      bindings.observe(model.alerts.stream(), on: self) { [model] controller, alert in
        if let action = await controller.choose(from: alert) { await model.perform(action) }
      }
    }

    private func render(_ state: ViewState<[String]>) { states.show(state) }
  }

  @MainActor
  private final class Coordinator {
    private let cart = CartModel()
    private let products = ViewModelStore<Int, CartModel>(isolation: MainActor.shared) { _ in CartModel() }
    private var delegate: NavigationPathDelegate<Route>?

    func follow(_ navigation: NavigationModel<Route>, in navigationController: UINavigationController) {
      delegate = NavigationPathDelegate(of: navigationController, following: navigation) {
        [cart, products] route in
        switch route {
        case .cart: CartViewController(model: cart)
        case .product(let id): CartViewController(model: products.assumeIsolated { $0.lease(id) }.model)
        }
      }
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
