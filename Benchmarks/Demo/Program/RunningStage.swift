import AsyncViewModelsUI
import Foundation
import StorefrontTesting
import StorefrontViewModels

/// One stage of the storefront: its view models, what they have sent, and the screens that show it.
@MainActor
final class RunningStage {
  let stage: MigrationStage
  let output = SessionOutput()
  let session: any StorefrontSession
  let window: WindowScreen
  private let host: ScreenHost

  /// Creates the view models, and shows the screens.
  init(
    _ stage: MigrationStage, server: URL, navigation: NavigationModel<StorefrontRoute>,
    tab: Screen = .list, size: TerminalSize
  ) throws {
    self.stage = stage
    let session = try stage.session.init(server: server, output: output)
    self.session = session
    output.presentAlerts { [weak session] in session?.perform($0) }
    window = try WindowScreen(session, output, navigation: navigation, tab: tab)
    host = ScreenHost(window)
    try host.resize(to: ViewportSize(size))
    try host.show()
  }

  func resize(to size: TerminalSize) { try? host.transition(to: ViewportSize(size), animated: false) }

  /// Ends the bindings of all screens.
  func end() {
    try? host.hide()
    try? host.end()
  }
}
