import Synchronization

/// Owns one screen and drives its life: what a window, or a parent, does for a view controller.
///
/// ```swift
/// let host = ScreenHost(CartScreen(model: model))
/// try host.show()  // didLoad, willAppear, didAppear
/// try host.hide()  // willDisappear, didDisappear
/// try host.show()  // willAppear, didAppear: it is loaded only once
/// ```
///
/// - Isolation: the main actor. Every hook has run when the call that caused it returns; nothing waits for a later turn.
/// - Errors: an order that does not exist is refused with a ``ScreenHostError`` before any hook has run; the old state stays.
/// - The end: with ``end()``, or when the last reference to the host goes away. First the ``bindings`` end, last bound first;
///   then the children do, last added first; then the screen is let go. A host that contains others keeps them alive.
/// - Re-entrancy: hooks may drive hosts. The state has changed before its hook runs, so a hook sees the truth; what it does
///   in the middle of a step stands, and the rest of that step is left out where it no longer fits.
@MainActor
public final class ScreenHost {
  public let screen: any HostedScreen

  /// What the screen has bound, and what ends with it.
  public let bindings = ScreenBindings()

  /// The children in the order in which they were added, also those that are not shown.
  public internal(set) var children: [ScreenHost] = []

  var appearance = ScreenAppearanceState()
  var sizeTransition: ScreenSizeTransition?
  let traitState = ObservableState(ScreenTraits())
  let keyboard = EventChannel<KeyboardChange>()

  /// Whether it is in its parent's view, and so appears with it.
  var isShown = false
  private var containmentStep = ScreenContainmentPhase.detached
  private weak var partner: ScreenHost?

  /// - Parameter screen: is not touched before the load.
  /// - Precondition: `screen` has no other host: two would each drive it through a life of its own. A debug build checks it.
  public init(_ screen: some HostedScreen) {
    self.screen = screen
    ScreenRegistry.insert(screen)
  }

  public var phase: ScreenPhase { appearance.phase }

  /// The size that it was given last, whether or not it was laid out in it yet.
  public var size: ViewportSize? { appearance.size }

  /// A child whose parent has gone away has none.
  public var containment: ScreenContainmentPhase { partner == nil ? .detached : containmentStep }

  /// The parent, from the step that adds to the last step that removes.
  public var parent: ScreenHost? { containmentStep == .joining ? nil : partner }

  /// The parent that it has, or was told that it gets.
  var expectedParent: ScreenHost? { partner }

  func setContainment(_ step: ScreenContainmentPhase, _ parent: ScreenHost?) {
    containmentStep = step
    partner = parent
  }

  /// Ends as ``end()`` does; what the children had bound ends as they are let go.
  deinit {
    bindings.close()
    ScreenRegistry.remove(screen)
  }
}

/// Which screens have a host now: known in debug builds, for the sake of one precondition.
enum ScreenRegistry {
  #if DEBUG
    private static let screens = Mutex<Set<ObjectIdentifier>>([])
  #endif

  /// - Precondition: `screen` has no host.
  static func insert(_ screen: some HostedScreen) {
    #if DEBUG
      let isNew = screens.withLock { $0.insert(ObjectIdentifier(screen)).inserted }
      precondition(isNew, "ScreenHost: this \(type(of: screen)) has a host already")
    #endif
  }

  /// The host goes away. The screen, which it held, goes after that: its identifier is not given away before.
  static func remove(_ screen: some HostedScreen) {
    #if DEBUG
      _ = screens.withLock { $0.remove(ObjectIdentifier(screen)) }
    #endif
  }
}
