#if canImport(SwiftUI)
  public import SwiftUI

  extension View {
    /// Presents a sheet while a state contains a route, and removes the route when the user closes the sheet.
    ///
    /// ```swift
    /// .sheet(following: app.presentedRoute) { route in FilterView(route) }
    /// ```
    ///
    /// If the route has changed while the user closed the sheet, the sheet of the new route is shown. See
    /// ``EditableState``.
    ///
    /// - Parameters:
    ///   - route: The route of the sheet, or `nil` for no sheet. View models and links change it.
    ///   - content: Makes the view of a route.
    public func sheet<Route: Hashable & Sendable>(
      following route: ObservableState<Route?>,
      @ViewBuilder content: @escaping (Route) -> some View
    ) -> some View {
      modifier(RouteSheet(route: route, sheet: content))
    }
  }

  private struct RouteSheet<Route: Hashable & Sendable, Sheet: View>: ViewModifier {
    private struct Item: Identifiable {
      let id: Route
    }

    @StateObject private var owned = OwnedObject<EditableState<Route?>>()
    let route: ObservableState<Route?>
    let sheet: (Route) -> Sheet

    func body(content: Content) -> some View {
      let editable = owned.object(for: OwnedObjectKey(route)) { EditableState(route) }
      let item = Binding<Item?> { @MainActor in
        editable.value.map(Item.init)
      } set: { @MainActor in
        editable.value = $0?.id
      }
      return content.sheet(item: item) { sheet($0.id) }
    }
  }
#endif
