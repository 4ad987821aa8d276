import Synchronization

/// Owns a screen and drives its life cycle, as a window or a parent does for a view controller.
///
/// ```swift
/// let host = ScreenHost(CartScreen(model: model))
/// try host.show()  // didLoad, willAppear, didAppear
/// try host.hide()  // willDisappear, didDisappear
/// try host.show()  // willAppear, didAppear: it is loaded only once
/// ```
///
/// - Isolation: The main actor. All hooks of a call have run when the call returns; nothing is deferred.
/// - Ordering: The host ends with ``end()``, or when its last reference is released. First the ``bindings``
///   end, the last bound first. Then the children end, the last added first. Then the screen is released.
/// - Errors: A call in an illegal order throws a ``ScreenHostError`` before any hook runs, and changes
///   nothing.
/// - Ownership: A host keeps its screen and its children alive.
/// - Reentrancy: Hooks may drive hosts. The state changes before its hook runs, so a hook sees the new state.
///   A change that a hook makes during a step stays, and the rest of the step is skipped if it no longer
///   fits.
@MainActor
public final class ScreenHost {
  /// The screen that the host drives.
  public let screen: any HostedScreen

  /// The observations, tasks and tokens that end with the screen.
  public let bindings = ScreenBindings()

  /// The children in the order in which they were added, including those that are not shown.
  public internal(set) var children: [ScreenHost] = []

  var appearance = ScreenAppearanceState()
  var sizeTransition: ScreenSizeTransition?
  let traitState = ObservableState(ScreenTraits())
  let keyboard = EventChannel<KeyboardChange>()

  /// Whether the screen is in its parent's view, and therefore appears with the parent.
  var isShown = false
  private var containmentStep = ScreenContainmentPhase.detached
  private weak var partner: ScreenHost?

  /// Creates a host for a screen that is not loaded yet.
  ///
  /// - Parameter screen: The screen to drive. No hook is called before the load.
  /// - Precondition: `screen` has no other host, because two hosts would drive it independently. Debug builds
  ///   check this.
  public init(_ screen: some HostedScreen) {
    self.screen = screen
    ScreenRegistry.insert(screen)
  }

  /// The phase of the screen's life cycle.
  public var phase: ScreenPhase { appearance.phase }

  /// The size that the screen was given last, even if it is not laid out in it yet.
  public var size: ViewportSize? { appearance.size }

  /// The current step of becoming or ceasing to be a child. A child whose parent was released is detached.
  public var containment: ScreenContainmentPhase { partner == nil ? .detached : containmentStep }

  /// The parent, from ``add(_:shown:animated:)`` until ``removeFromParent()``.
  public var parent: ScreenHost? { containmentStep == .joining ? nil : partner }

  /// The parent that the screen has, or that ``willMove(to:)`` announced.
  var expectedParent: ScreenHost? { partner }

  func setContainment(_ step: ScreenContainmentPhase, _ parent: ScreenHost?) {
    containmentStep = step
    partner = parent
  }

  /// Ends the bindings, as ``end()`` does. The bindings of the children end when their hosts are released.
  deinit {
    bindings.close()
    ScreenRegistry.remove(screen)
  }
}

/// The screens that have a host. Debug builds use it to check a precondition.
enum ScreenRegistry {
  #if DEBUG
    private static let screens = Mutex<Set<ObjectIdentifier>>([])
  #endif

  /// - Precondition: `screen` has no host.
  static func insert(_ screen: some HostedScreen) {
    #if DEBUG
      let isNew = screens.withLock { $0.insert(ObjectIdentifier(screen)).inserted }
      precondition(isNew, "ScreenHost: this \(type(of: screen)) already has a host")
    #endif
  }

  /// Removes the screen of a host that is released. The host still holds the screen, so its identifier is not
  /// reused yet.
  static func remove(_ screen: some HostedScreen) {
    #if DEBUG
      _ = screens.withLock { $0.remove(ObjectIdentifier(screen)) }
    #endif
  }
}
