import AsyncViewModelsUI
import StorefrontViewModels

/// A tab, a page or a sheet: observes its view model, and shows the content or what takes its place.
@MainActor
final class FeatureScreen: HostedScreen {
  let screen: Screen
  /// The place of the screen in the navigation tree.
  let entry: NavigationEntry<StorefrontRoute>?
  private let session: (any StorefrontSession)?
  private let output: SessionOutput
  private let states: StateScreenContainer

  /// Creates a screen.
  ///
  /// - Parameter session: The view models, or `nil` for a screen that only shows `output`.
  init(
    _ screen: Screen, at entry: NavigationEntry<StorefrontRoute>? = nil,
    _ session: (any StorefrontSession)?, _ output: SessionOutput
  ) {
    self.screen = screen
    self.entry = entry
    self.session = session
    self.output = output
    let content = screen.content
    states = StateScreenContainer { slot in
      ScreenHost(
        TextScreen { size in
          let input = output.input(of: screen, at: entry?.route)
          return slot == .loaded
            ? content.lines(input, size: size) : content.placeholder(input, columns: size.columns)
        })
    }
  }

  func didLoad(in host: ScreenHost) {
    _ = try? host.embed(states)
    if case .product(let id, let source) = entry?.route {
      session?.open(id, from: source, in: host.bindings)
    } else {
      session?.bind(screen, in: host.bindings)
    }
  }

  func didMove(to parent: ScreenHost?) {
    if parent == nil, screen == .detail { session?.closePage() }
  }

  /// What the screen shows now.
  var input: ScreenInput { output.input(of: screen, at: entry?.route) }

  /// The lines of this moment.
  var lines: [TextLine] {
    states.show(screen.content.state(input))
    return (states.screen(for: states.slot).screen as? TextScreen)?.lines ?? []
  }
}

/// Draws lines in the size that its parent gives it.
@MainActor
private final class TextScreen: HostedScreen {
  private let draw: @MainActor (TerminalSize) -> [TextLine]
  private var size = TerminalSize.smallest

  init(_ draw: @escaping @MainActor (TerminalSize) -> [TextLine]) { self.draw = draw }

  func didLayout(in size: ViewportSize) { self.size = TerminalSize(size) }

  var lines: [TextLine] { draw(size) }
}
