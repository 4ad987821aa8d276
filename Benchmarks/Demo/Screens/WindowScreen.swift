import AsyncViewModelsUI
import StorefrontViewModels

/// The screens of one stage: the tabs, the page of a product on top of them, and sheets.
///
/// The window has the size of the terminal. Its screens have the room between the header, the
/// footer and the panel.
@MainActor
final class WindowScreen: HostedScreen {
  private let screens: TreeScreenContainer<StorefrontRoute>
  private let navigation: NavigationModel<StorefrontRoute>

  /// Creates the screens of a session.
  init(
    _ session: any StorefrontSession, _ output: SessionOutput, navigation: NavigationModel<StorefrontRoute>
  ) {
    self.navigation = navigation
    screens = TreeScreenContainer(following: navigation) { entry in
      FeatureScreen(Screen(entry.route), at: entry, session, output)
    }
  }

  func didLoad(in host: ScreenHost) {
    guard let window = try? host.embed(screens) else { return }
    // The first frame of a tab already has content.
    load(window)
  }

  private func load(_ host: ScreenHost) {
    try? host.loadIfNeeded()
    host.children.forEach(load)
  }

  func size(of child: ScreenHost, in size: ViewportSize) -> ViewportSize {
    ViewportSize(DemoFrame.contentSize(TerminalSize(size)))
  }

  /// The selected tab.
  var tab: Screen { Screen(navigation.tree.base.root) }

  /// The screen that is drawn and takes the keys.
  var front: FeatureScreen {
    guard let screen = screens.top?.screen as? FeatureScreen else {
      fatalError("each route has a FeatureScreen")
    }
    return screen
  }

  /// Closes the page and the sheet, and shows a tab.
  func show(_ tab: Screen) {
    navigation.update { tree in
      tree.dismissAll()
      tree.front.popToRoot()
      tree.select(Screen.roots[tab.rawValue - 1])
    }
    screens.update()
  }

  /// Closes the page or the sheet in front. Tabs stay.
  func closeFront() {
    if let entry = front.entry { navigation.close(entry) }
    screens.update()
  }

  /// Closes the sheet in front with its result.
  func finish<Result: Sendable>(_ request: ResultRoute<StorefrontRoute, Result>, with result: Result) {
    if let entry = front.entry { navigation.finish(request, of: entry, with: result) }
    screens.update()
  }
}
