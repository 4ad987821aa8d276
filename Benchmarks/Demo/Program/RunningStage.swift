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
  /// The second screen that observes the search.
  private var secondScreen: ScreenHost?

  /// Creates the view models, and shows the screens.
  init(
    _ stage: MigrationStage, server: URL, navigation: NavigationModel<StorefrontRoute>, size: TerminalSize
  ) throws {
    self.stage = stage
    let session = try stage.session.init(server: server, output: output)
    self.session = session
    window = WindowScreen(session, output, navigation: navigation)
    host = ScreenHost(window)
    // The alerts of a stage end with its screens.
    output.showAlert = { [weak session, bindings = host.bindings] alert in
      bindings.run { [weak session] in
        if let action = await navigation.choose(from: alert) { session?.perform(action) }
      }
    }
    try host.resize(to: ViewportSize(size))
    try host.show()
  }

  func resize(to size: TerminalSize) { try? host.transition(to: ViewportSize(size), animated: false) }

  var hasSecondScreen: Bool { secondScreen != nil }

  /// Opens the second screen in a later turn. In a stage that has just begun, the first screen has
  /// received its state by then.
  func openSecondScreen() {
    let screen = ScreenHost(SecondScreen(session))
    secondScreen = screen
    DispatchQueue.main.async { try? screen.show() }
  }

  func closeSecondScreen() {
    try? secondScreen?.hide()
    try? secondScreen?.end()
    (secondScreen, output.states.secondSearch) = (nil, nil)
  }

  /// Ends the bindings of all screens.
  func end() {
    closeSecondScreen()
    try? host.hide()
    try? host.end()
  }
}

/// Observes the search, as a second window of an app does. The search screen draws what it shows.
private final class SecondScreen: HostedScreen {
  private let session: any StorefrontSession

  init(_ session: any StorefrontSession) { self.session = session }

  func didLoad(in host: ScreenHost) { session.observeSearch(for: .second, in: host.bindings) }
}
