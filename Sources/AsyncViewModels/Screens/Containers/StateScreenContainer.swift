/// One screen for each case of a ``StorefrontDomain/ViewState``, of which exactly one is shown: a spinner, the content, an error, nothing yet.
///
/// ```swift
/// host.bindings.observe(model.states(), on: self) { screen, state in screen.container.show(state.content) }
/// ```
///
/// - Ordering: first everything is hidden, to its `didDisappear`; then the one screen is shown. At no time are two on display.
/// - Promises: the same case again changes nothing: the screen that is shown binds to the content by itself. A screen is loaded
///   when its case comes for the first time.
/// - Isolation: the main actor.
/// - Re-entrancy: a state that comes while the screens are being swapped waits for the end of the swap. Of several, the last counts.
@MainActor
public final class StateScreenContainer: HostedScreen {
  /// The cases of a ``StorefrontDomain/ViewState``, without their values.
  public enum Slot: Hashable, Sendable, CaseIterable {
    case idle, loading, loaded, failed, empty

    public init<Value>(_ state: ViewState<Value>) {
      switch state {
      case .idle: self = .idle
      case .loading: self = .loading
      case .loaded: self = .loaded
      case .failed: self = .failed
      case .empty: self = .empty
      }
    }
  }

  /// The case whose screen is shown, or will be when the container is.
  public private(set) var slot = Slot.idle

  private let screens: [Slot: ScreenHost]
  private weak var host: ScreenHost?
  private var wanted = Slot.idle
  private var isSwapping = false

  public init(
    idle: ScreenHost, loading: ScreenHost, loaded: ScreenHost, failed: ScreenHost, empty: ScreenHost
  ) {
    screens = [.idle: idle, .loading: loading, .loaded: loaded, .failed: failed, .empty: empty]
    guard Set(screens.values.map(ObjectIdentifier.init)).count == screens.count else {
      fatalError("StateScreenContainer: two cases have the same screen")
    }
  }

  public func screen(for slot: Slot) -> ScreenHost {
    guard let screen = screens[slot] else { fatalError("StateScreenContainer: no screen for \(slot)") }
    return screen
  }

  /// Shows the screen for the case of `state`.
  public func show<Value>(_ state: ViewState<Value>) { show(Slot(state)) }

  public func show(_ slot: Slot) {
    wanted = slot
    guard !isSwapping else { return }
    isSwapping = true
    while self.slot != wanted { swap(to: wanted) }
    isSwapping = false
  }

  public func didLoad(in host: ScreenHost) {
    self.host = host
    for slot in Slot.allCases { host.contain(screen(for: slot), shown: slot == self.slot) }
  }

  private func swap(to new: Slot) {
    slot = new
    guard host != nil else { return }
    for slot in Slot.allCases { screen(for: slot).leave(animated: false) }
    screen(for: new).enter(animated: false)
  }
}
