#if canImport(SwiftUI)
  public import SwiftUI

  extension View {
    /// Presents a sheet while a state contains a route, and removes the route when the user closes
    /// the sheet.
    ///
    /// ```swift
    /// .sheet(following: app.presentedRoute) { route in FilterView(route) }
    /// ```
    ///
    /// If the route has changed while the user closed the sheet, the change remains, and the sheet
    /// of the new route is shown.
    ///
    /// - Parameters:
    ///   - route: The route of the sheet, or `nil` for no sheet. View models and links change it.
    ///   - content: Makes the view of a route.
    public func sheet<Route: Hashable & Sendable>(
      following route: StateStore<Route?>,
      @ViewBuilder content: @escaping (Route) -> some View
    ) -> some View {
      modifier(RouteSheet(route: route, sheet: content))
    }
  }

  private struct RouteSheet<Route: Hashable & Sendable, Sheet: View>: ViewModifier {
    @StateObject private var owned = OwnedObject<PresentedRoutes<Route?, Route>>()
    let route: StateStore<Route?>
    let sheet: (Route) -> Sheet

    func body(content: Content) -> some View {
      let presented = owned.object(for: OwnedObjectKey(route)) { PresentedRoutes(route) }
      let item = Binding<IdentifiedRoute<Route>?> { @MainActor in
        presented.route.map(IdentifiedRoute.init)
      } set: { @MainActor in
        presented.route = $0?.id
      }
      return content.sheet(item: item) { item in
        RouteScreen(route: item.id, routes: presented, content: sheet(item.id))
      }
    }
  }

  private struct IdentifiedRoute<Route: Hashable & Sendable>: Identifiable {
    let id: Route
  }
#endif
