import AsyncViewModels
import StorefrontDomain
import StorefrontViewModels

/// A parent of two view models, one of which other screens share, as the guide `MigrateOneViewModel` shows it.
enum SharedCartPage {
  protocol SharedCart: Sendable {
    var state: CartState { get }
    func states(_ buffering: BufferingPolicy) -> AsyncStream<CartState>
    func add(_ product: CatalogProduct, quantity: Int) async throws
  }

  struct PageState {
    var product: CatalogProduct?
    var itemCount: Int
  }

  actor Page: ViewModelActor {
    nonisolated let modelState: ModelState<PageState>
    private let detail: ProductDetailViewModel
    private let cart: any SharedCart
    private let observations = TaskBag()

    init(detail: ProductDetailViewModel, cart: any SharedCart, isolation: (any Actor)? = nil) {
      modelState = ModelState(PageState(product: nil, itemCount: 0), on: isolation)
      self.detail = detail
      self.cart = cart
      observations.insert(detail.states().observe(on: self) { page, _ in page.show() })
      observations.insert(cart.states(.latest).observe(on: self) { page, _ in page.show() })
    }

    func add() async throws {
      guard let product = state.product else { return }
      defer { show() }
      try await cart.add(product, quantity: 1)
    }

    private func show() {
      store.update {
        $0 = PageState(product: detail.state.content.value, itemCount: cart.state.cart.itemCount)
      }
    }
  }
}

extension CartViewModel: SharedCartPage.SharedCart {}
