import AsyncViewModelsUI
import Domain
import ViewModels

/// A screen without UIKit that shows a list with sections. It uses the app's own type `Screen` next to the
/// screen types of the toolkit.
final class OrdersScreen: HostedScreen {
  private(set) var shown = ListSnapshot<Int, Product.ID, Product>()
  private(set) var route: Screen?
  var isLoading: Bool { overview.value.isLoading }
  private let overview: StateMirror<OverviewViewModel.State>
  private let model: OverviewViewModel

  init(_ model: OverviewViewModel) {
    self.model = model
    overview = StateMirror(model)
  }

  func didLoad(in host: ScreenHost) {
    host.bindings.observe(model, on: self) { screen, state in
      screen.shown = ListSnapshot(groupingUnique: state.snapshot.products) { $0.id % 2 }
    }
    host.bindings.observe(model.screens(), on: self) { screen, route in screen.route = route }
  }
}
