#if canImport(SwiftUI)
  import Combine
  public import SwiftUI

  /// A navigation stack that follows the path of a ``NavigationModel``, and changes the path when
  /// the user navigates.
  ///
  /// ```swift
  /// PathNavigationStack(following: navigation) {
  ///   HomeView()
  /// } destination: { route in
  ///   switch route {
  ///   case .cart: CartView()
  ///   case .product(let id): ProductView(id: id, store: products)
  ///   }
  /// }
  /// ```
  ///
  /// The destination of a route is a view that makes or leases its view model with
  /// ``StateViewModel``. So a view model is made once for a screen, and not each time SwiftUI
  /// describes the destination.
  ///
  /// - Ordering: If a link has changed the path while the user swiped back, the change remains, and
  ///   the swipe has no effect. There is one exception: if code has removed more screens than the
  ///   swipe, what SwiftUI writes cannot be told from a push, and the path gets the screens that
  ///   the swipe has left.
  /// - Ownership: The stack keeps the model. The screens of removed routes are released.
  public struct PathNavigationStack<Route: Hashable & Sendable, Root: View, Destination: View>: View {
    @StateObject private var owned = OwnedObject<PresentedRoutes<RoutePath<Route>, Route>>()
    private let model: NavigationModel<Route>
    private let root: Root
    private let destination: (Route) -> Destination

    /// Creates a stack.
    ///
    /// - Parameters:
    ///   - model: The model whose path the stack shows. If another model is passed, its path is
    ///     shown.
    ///   - root: The view below the screens of the path.
    ///   - destination: Makes the view of a route.
    public init(
      following model: NavigationModel<Route>, @ViewBuilder root: () -> Root,
      @ViewBuilder destination: @escaping (Route) -> Destination
    ) {
      self.model = model
      self.root = root()
      self.destination = destination
    }

    /// The navigation stack.
    public var body: some View {
      let path = owned.object(for: OwnedObjectKey(model)) { PresentedRoutes(model) }
      NavigationStack(path: Bindable(path).current) {
        root.navigationDestination(for: Route.self) { route in
          RouteScreen(route: route, routes: path, content: destination(route))
        }
      }
    }
  }

  /// The screen of a route, which reports that it has appeared.
  struct RouteScreen<Value: Equatable & Sendable, Route: Hashable & Sendable, Content: View>: View {
    /// Exists as long as the screen.
    private final class Existence: ObservableObject {}

    @StateObject private var existence = Existence()
    let route: Route
    let routes: PresentedRoutes<Value, Route>
    let content: Content

    var body: some View { content.onAppear { routes.appear(route, existence) } }
  }
#endif
