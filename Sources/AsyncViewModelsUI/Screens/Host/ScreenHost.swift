import Synchronization

/// Owns a screen and calls its life-cycle hooks, as a window or a parent does for a view
/// controller.
///
/// ```swift
/// let host = ScreenHost(CartScreen(model: model))
/// try host.show()  // didLoad, willAppear, didAppear
/// try host.hide()  // willDisappear, didDisappear
/// try host.show()  // willAppear, didAppear: the screen is loaded only once
/// ```
///
/// - Isolation: The main actor. When a call returns, all hooks of that call have run.
/// - Ordering: ``end()`` ends the ``bindings``, and then the children, the last added first.
///   Releasing the host does the same, but a child with another owner lives on.
/// - Errors: A rejected step has no effect. ``show(animated:)`` and ``hide(animated:)`` have two
///   steps, and can fail after the first.
/// - Ownership: A host keeps its screen and its children alive.
/// - Reentrancy: Hooks may call methods of hosts. If a hook moves a screen to another phase, the
///   interrupted call skips the steps that are no longer possible.
@MainActor
public final class ScreenHost {
  /// The screen whose life-cycle hooks the host calls.
  public var screen: any HostedScreen { ownedScreen }

  /// The screen. `nil` only in `deinit`.
  private var ownedScreen: (any HostedScreen)!

  /// The observations, tasks and tokens that end with the screen.
  public let bindings = ScreenBindings()

  /// The children in the order in which they were added, including those that are not shown.
  public internal(set) var children: [ScreenHost] = []

  var appearance = ScreenAppearanceState()
  /// The change of size that is in progress.
  var sizeChange: ScreenTransitionCoordinator?
  let traitState = StateStore(ScreenTraits())
  let keyboard = EventChannel<KeyboardChange>()

  /// Whether the parent shows the screen while the parent itself is on display.
  var isShown = false
  /// Whether a load or a move of the container is in progress. Until it ends, the container rejects
  /// other changes.
  var isMovingChildren = false
  /// Whether an embedding removes the old children.
  var isEmbedding = false
  private var containmentStep = ScreenContainmentPhase.detached
  private weak var partner: ScreenHost?

  /// Creates a host for a screen that is not loaded yet.
  ///
  /// - Parameter screen: The screen whose hooks the host calls. No hook is called before the load.
  /// - Precondition: `screen` has no other host, because two hosts would call the hooks
  ///   independently of each other. Debug builds check this.
  public init(_ screen: some HostedScreen) {
    ownedScreen = screen
    ScreenRegistry.insert(screen)
  }

  /// The phase of the screen's life cycle.
  public var phase: ScreenPhase { appearance.phase }

  /// The last size that the screen received, even if the screen is not laid out in that size yet.
  /// `nil` before the first size.
  public var size: ViewportSize? { appearance.size }

  /// The last step that was taken to add this screen to a parent or to remove it. If the parent was
  /// released, the screen is detached.
  package var containment: ScreenContainmentPhase { partner == nil ? .detached : containmentStep }

  /// The parent, or `nil` before this screen is added to it and after it is removed.
  public var parent: ScreenHost? { containmentStep == .joining ? nil : partner }

  /// The current parent, or the parent that `willMove(to:)` announced.
  var expectedParent: ScreenHost? { partner }

  /// Returns whether `host` is the parent of this screen and shows this screen.
  ///
  /// A loop over children checks this for each child, because a hook of an earlier child may have
  /// hidden, removed or moved the child.
  func isShown(in host: ScreenHost) -> Bool { isShown && parent === host }

  func setContainment(_ step: ScreenContainmentPhase, _ parent: ScreenHost?) {
    containmentStep = step
    partner = parent
  }

  /// Ends the bindings, as ``end()`` does. The bindings of the children end when their hosts are
  /// released.
  deinit {
    bindings.close()
    ScreenRegistry.remove(ownedScreen)
    // A screen that is a container also retains the children. If the screen were released last, it
    // would decide in which order the children are released.
    ownedScreen = nil
    while children.popLast() != nil {}
  }
}

/// The screens that have a host. Debug builds use this registry to check that no screen has two
/// hosts.
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

  /// Removes the screen of a host that is being released.
  ///
  /// The host still owns the screen, so no other object has the same identifier.
  static func remove(_ screen: any HostedScreen) {
    #if DEBUG
      _ = screens.withLock { $0.remove(ObjectIdentifier(screen)) }
    #endif
  }
}
