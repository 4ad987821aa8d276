#if canImport(SwiftUI) && os(Linux)
  import ToolkitTestSupport
  import AsyncViewModelsUI
  import SwiftUI

  /// The examples of the page `UsingSwiftUI`, which must compile as a client writes them.
  private enum SwiftUIExamples {
    protocol CartService: Sendable {}

    actor CartModel: ViewModelActor {
      nonisolated let modelState = ModelState(CartState())
      nonisolated let alerts = EventChannel<AlertState<CartAction>>()

      init(service: any CartService) {}
      func load() async {}
      func refresh() async {}
      func perform(_ action: CartAction) async {}
    }

    struct CartScreen: View {
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

    nonisolated struct CartState: Equatable, Sendable {
      var items: [String] = []
    }
    nonisolated enum CartAction: Hashable, Sendable { case retry }
    nonisolated enum Route: Hashable, Sendable { case cart, product(Int) }

    struct CartBadge: View {
      @Environment(ObservedViewModel<CartModel>.self) private var cart

      var body: some View { Text("\(cart.state.items.count)") }
    }

    // What the storefront has.
    struct Post: Identifiable, Sendable {
      let id: Int
      let title: String
    }

    struct PostsState: Sendable {
      var posts: [Post] = []
    }

    enum PostsEvent: Sendable { case alert(AlertState<CartAction>), route(Route) }

    actor PostsModel: ViewModelActor {
      nonisolated let modelState = ModelState(PostsState())
      nonisolated func events() -> AsyncStream<PostsEvent> { EventChannel<PostsEvent>().stream() }
      func perform(_ action: CartAction) async throws {}
    }

    @MainActor
    final class Router {
      func handle(_ event: PostsEvent) {}
    }

    struct PostsScreen: View {
      let posts: ObservedViewModel<PostsModel>
      let router: Router

      var body: some View {
        List(posts.state.posts) { Text($0.title) }
          .alerts(of: posts.model) {
            $0.events().alerts { [weak router] event in router?.handle(event) }
          } perform: {
            try? await $0.perform($1)
          }
      }
    }

    struct SearchState: Sendable {
      var query = ""
    }

    actor SearchModel: ViewModelActor {
      nonisolated let modelState = ModelState(SearchState())
      nonisolated func setQuery(_ query: String) { store.update { $0.query = query } }
    }

    struct SearchField: View {
      let search: ObservedViewModel<SearchModel>

      var body: some View {
        TextField("Search", text: search.binding(\.query) { $0.setQuery($1) })
      }
    }

    struct HomeScreen: View {
      var body: some View { Text("home") }
    }

    struct AppView: View {
      let navigation: NavigationModel<Route>
      let products: ViewModelStore<Int, ProductModel>
      let presentedRoute: StateStore<Route?>
      let service: any CartService

      var body: some View {
        PathNavigationStack(following: navigation) {
          HomeScreen()
        } destination: { route in
          switch route {
          case .cart: CartScreen(service: service)
          case .product(let id): ProductScreen(id: id, store: products)
          }
        }
        .sheet(following: presentedRoute) { _ in CartScreen(service: service) }
      }
    }

    struct ProductState: Sendable {
      var name = ""
    }

    actor ProductModel: ViewModelActor {
      nonisolated let modelState = ModelState(ProductState())
    }

    struct ProductScreen: View {
      @StateViewModel private var product: ObservedViewModel<ProductModel>

      init(id: Int, store: ViewModelStore<Int, ProductModel>) {
        _product = StateViewModel(leasing: id, from: store)
      }

      var body: some View { Text(product.state.name) }
    }
  }

  extension AsyncStream<SwiftUIExamples.PostsEvent> {
    fileprivate func alerts(
      _ other: @escaping @MainActor (SwiftUIExamples.PostsEvent) -> Void
    ) -> AsyncStream<AlertState<SwiftUIExamples.CartAction>> {
      AsyncStream<AlertState<SwiftUIExamples.CartAction>> { nil }
    }
  }
#endif
