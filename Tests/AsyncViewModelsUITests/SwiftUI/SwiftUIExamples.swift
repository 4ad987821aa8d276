#if canImport(SwiftUI) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import SwiftUI

  // The examples of the page "Using SwiftUI", which must compile as a client writes them.

  private protocol CartService: Sendable {}
  private nonisolated enum CartAction: Hashable, Sendable { case retry }
  private nonisolated enum Route: Hashable, Sendable { case cart, product(Int) }

  private nonisolated struct CartState: Equatable, Sendable {
    var items: [String] = []
  }

  private actor CartModel: ViewModelActor {
    nonisolated let modelState = ModelState(CartState())
    nonisolated let alerts = EventChannel<AlertState<CartAction>>()

    init(service: any CartService) {}
    func load() async {}
    func refresh() async {}
    func perform(_ action: CartAction) async {}
  }

  private struct ProductState: Sendable {
    var name = ""
  }

  private actor ProductModel: ViewModelActor {
    nonisolated let modelState = ModelState(ProductState())
  }

  private struct SearchState: Sendable {
    var query = ""
  }

  private actor SearchModel: ViewModelActor {
    nonisolated let modelState = ModelState(SearchState())
    nonisolated func setQuery(_ query: String) { store.update { $0.query = query } }
  }

  private struct CartScreen: View {
    @StateViewModel private var cart: ObservedViewModel<CartModel>

    init(service: any CartService) { _cart = StateViewModel(CartModel(service: service)) }

    var body: some View {
      List(cart.state.items, id: \.self) { Text($0) }
        .initialTask(of: cart) { await $0.load() }
        .refreshable(cart) { await $0.refresh() }
        .alerts(of: cart.model) {
          $0.alerts.stream()
        } perform: {
          await $0.perform($1)
        }
        .environment(cart)
    }
  }

  private struct CartBadge: View {
    @Environment(ObservedViewModel<CartModel>.self) private var cart

    var body: some View { Text("\(cart.state.items.count)") }
  }

  private struct SearchField: View {
    let search: ObservedViewModel<SearchModel>

    var body: some View {
      TextField("Search", text: search.binding(\.query) { $0.setQuery($1) })
    }
  }

  private struct ProductScreen: View {
    @StateViewModel private var product: ObservedViewModel<ProductModel>

    init(id: Int, store: ViewModelStore<Int, ProductModel>) {
      _product = StateViewModel(leasing: id, from: store)
    }

    var body: some View { Text(product.state.name) }
  }

  private struct AppView: View {
    let navigation: NavigationModel<Route>
    let products: ViewModelStore<Int, ProductModel>
    let presentedRoute: StateStore<Route?>
    let service: any CartService

    var body: some View {
      PathNavigationStack(following: navigation) {
        CartBadge()
      } destination: { route in
        switch route {
        case .cart: CartScreen(service: service)
        case .product(let id): ProductScreen(id: id, store: products)
        }
      }
      .sheet(following: presentedRoute) { _ in CartScreen(service: service) }
    }
  }
#endif
