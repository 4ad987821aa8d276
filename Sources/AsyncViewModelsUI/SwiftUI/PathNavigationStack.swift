#if canImport(SwiftUI)
  import Combine
  public import SwiftUI

  /// A navigation stack that shows the path above the root of a ``NavigationModel``, and changes
  /// the path when the user navigates.
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
  /// A destination makes or leases its view model with ``StateViewModel``: once for a screen, and
  /// not each time SwiftUI describes the destination.
  ///
  /// - Ordering: If a link changes the path while the user swipes back, the link wins. Exception:
  ///   if code popped exactly one screen more than the swipe, SwiftUI's write looks like a push.
  /// - Ownership: The stack keeps the model. The screens of removed routes are released.
  public struct PathNavigationStack<Route: Hashable & Sendable, Root: View, Destination: View>: View {
    @StateObject private var owned = OwnedObject<PresentedRoutes<NavigationState<Route>, Route>>()
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
