#if canImport(SwiftUI)
  public import SwiftUI

  /// A navigation stack that follows the path of a ``NavigationModel``, and changes the path when the user navigates.
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
  /// The destination of a route is a view that makes or leases its view model with ``StateViewModel``. So a view model is
  /// made once for a screen, and not each time SwiftUI describes the destination.
  ///
  /// - Ordering: If a link has replaced the path while the user swiped back, the swipe has no effect on the new path. See
  ///   ``EditableState``.
  /// - Ownership: The stack keeps neither the model nor the screens of removed routes. Keep the model in the app.
  public struct PathNavigationStack<Route: Hashable & Sendable, Root: View, Destination: View>: View {
    @StateObject private var owned = OwnedObject<EditableState<RoutePath<Route>>>()
    private let model: NavigationModel<Route>
    private let root: Root
    private let destination: (Route) -> Destination

    /// Creates a stack.
    ///
    /// - Parameters:
    ///   - model: The model whose path the stack shows. If another model is passed, its path is shown.
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
      let path = owned.object(for: OwnedObjectKey(model)) { EditableState(model) }
      NavigationStack(path: Bindable(path).value) {
        root.navigationDestination(for: Route.self, destination: destination)
      }
    }
  }
#endif
