import AsyncViewModelsUI
import StorefrontViewModels

/// The screens of one stage: the tabs, and the page of a product on top of them.
///
/// The window has the size of the terminal. Its screens have the room between the header, the
/// footer and the panel.
@MainActor
final class WindowScreen: HostedScreen {
  private let tabs: TabScreenContainer
  private let stack: NavigationScreenContainer
  private let navigation: NavigationModel<StorefrontRoute>

  /// Creates the screens of a session.
  ///
  /// - Parameter navigation: The routes of products, whose pages the window shows on top of the tabs.
  init(
    _ session: any StorefrontSession, _ output: SessionOutput,
    navigation: NavigationModel<StorefrontRoute>, tab: Screen
  ) throws(ScreenHostError) {
    self.navigation = navigation
    let screens = Screen.tabs.map { ScreenHost(FeatureScreen($0, session, output)) }
    tabs = try TabScreenContainer(screens, selected: tab.rawValue - 1)
    stack = NavigationScreenContainer(root: tabs)
    stack.follow(navigation) { route in FeatureScreen(.detail, route: route, session, output) }
  }

  func didLoad(in host: ScreenHost) {
    _ = try? host.embed(stack)
    // The first frame of a tab already has content.
    for screen in [stack.root] + tabs.tabs { try? screen.loadIfNeeded() }
  }

  func size(of child: ScreenHost, in size: ViewportSize) -> ViewportSize {
    ViewportSize(DemoFrame.contentSize(TerminalSize(size)))
  }

  /// The selected tab.
  var tab: Screen { Screen.tabs[tabs.selectedIndex] }

  /// The screen that is drawn and takes the keys.
  var front: FeatureScreen {
    let host = stack.top === stack.root ? tabs.selected : stack.top
    guard let screen = host.screen as? FeatureScreen else { fatalError("a tab or a page is a FeatureScreen") }
    return screen
  }

  /// Closes the page, and shows a tab.
  func show(_ tab: Screen) {
    closePage()
    try? tabs.select(tab.rawValue - 1)
  }

  func closePage() {
    // A page that is not shown yet is only in the path.
    navigation.update { $0.front.popToRoot() }
    _ = try? stack.popToRoot()
  }
}
