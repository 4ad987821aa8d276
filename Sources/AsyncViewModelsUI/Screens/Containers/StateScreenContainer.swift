/// Shows one of five screens, depending on the case of a ``ViewState``.
///
/// ```swift
/// let states = StateScreenContainer { slot in
///   switch slot {
///   case .loaded: ScreenHost(ProductsScreen(model))
///   case .idle, .loading, .failed, .empty: ScreenHost(NoticeScreen(slot))
///   }
/// }
/// host.bindings.observe(model, on: states) { states, state in states.show(state.content) }
/// ```
///
/// | event | effect |
/// | --- | --- |
/// | a case is shown for the first time | Its screen is loaded. |
/// | a new state has the same case | Nothing: the screen of that case observes the content itself. |
/// | the case changes | The old screen's `didDisappear` runs before the new screen's `willAppear`. |
/// | states arrive during a change of screens, or during the load of the container | The last of them is shown afterward. |
/// | a screen got another parent, was shown or ended before the container loads | The container does not show it. |
///
/// - Isolation: The main actor.
@MainActor
public final class StateScreenContainer: HostedScreen {
  /// A case of a ``ViewState``, without its value.
  public enum Slot: Hashable, Sendable, CaseIterable {
    /// The case ``ViewState/idle``.
    case idle
    /// The case ``ViewState/loading``.
    case loading
    /// The case ``ViewState/loaded(_:)``.
    case loaded
    /// The case ``ViewState/failed(_:)``.
    case failed
    /// The case ``ViewState/empty``.
    case empty

    /// Creates the slot for a state.
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

  /// The case whose screen is shown, or will be shown when the container appears.
  public private(set) var slot = Slot.idle

  private let screens: [Slot: ScreenHost]
  private weak var host: ScreenHost?
  private var wanted = Slot.idle

  /// Creates a container that shows `idle` first.
  ///
  /// - Parameter makeScreen: Makes the screen of a case. Called once for each case.
  /// - Precondition: No two cases have the same screen.
  public init(_ makeScreen: (Slot) -> ScreenHost) {
    screens = Dictionary(uniqueKeysWithValues: Slot.allCases.map { ($0, makeScreen($0)) })
    guard Set(screens.values.map(ObjectIdentifier.init)).count == screens.count else {
      fatalError("StateScreenContainer: two cases have the same screen")
    }
  }

  /// Returns the screen for a case.
  public func screen(for slot: Slot) -> ScreenHost { screens[slot]! }

  /// Shows the screen for the case of `state`.
  public func show<Value>(_ state: ViewState<Value>) { show(Slot(state)) }

  /// Shows the screen for a case.
  public func show(_ slot: Slot) {
    wanted = slot
    guard let host else { return self.slot = slot }
    guard !host.isMovingChildren else { return }
    showWanted(in: host)
  }

  /// Adds all screens to the container's host.
  public func didLoad(in host: ScreenHost) {
    self.host = host
    host.contain(Slot.allCases.map(screen(for:))) { $0 === screen(for: slot) }
    showWanted(in: host)
  }

  private func showWanted(in host: ScreenHost) {
    host.whileMovingChildren {
      while slot != wanted { swap(to: wanted) }
    }
  }

  private func swap(to new: Slot) {
    slot = new
    for slot in Slot.allCases { screen(for: slot).leave(animated: false) }
    screen(for: new).enter(animated: false)
  }
}
