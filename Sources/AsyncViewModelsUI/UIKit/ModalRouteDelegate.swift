#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// Presents a view controller while a state contains a route, and removes the route when the
  /// controller has been closed.
  ///
  /// ```swift
  /// override func viewDidAppear(_ animated: Bool) {
  ///   super.viewDidAppear(animated)
  ///   if modal == nil {
  ///     modal = ModalRouteDelegate(from: self, following: app.presentedRoute) {
  ///       FilterViewController($0)
  ///     }
  ///   }
  ///   modal?.update()
  /// }
  /// ```
  ///
  /// | event | effect |
  /// | --- | --- |
  /// | a view model or a link sets a route | The controller of the route is presented, after the controller of an earlier route has been dismissed. |
  /// | the route becomes `nil` | The controller is dismissed. |
  /// | the route changes during a transition | It is shown after the transition. |
  /// | a gesture, a button or other code closes the controller | The route is removed. |
  /// | code sets a route while the controller closes | That route is shown, also if it is the same route again. |
  ///
  /// - Isolation: The main actor. `makeController` runs once for each route that is presented.
  /// - Ownership: Store this object in the presenting controller, which it references weakly. The
  ///   delegate of the presentation controller stays that of your code: this object notices that
  ///   the container of the presentation leaves the window.
  @MainActor
  public final class ModalRouteDelegate<Route: Hashable & Sendable> {
    private struct Shown {
      let route: Route
      /// The last version of the route that this controller shows.
      var version: UInt64
      /// UIKit keeps the controller.
      weak var controller: UIViewController?
      /// Whether the controller has been presented. UIKit can refuse a presentation.
      var wasPresented = false
      weak var mark: ContainerMark?
    }

    private weak var presenter: UIViewController?
    private let route: StateStore<Route?>
    private let animated: Bool
    private let makeController: @MainActor (Route) -> UIViewController
    private var shown: Shown?
    private var isMakingController = false
    private var observation: CancellationToken?

    /// Presents the controller of the current route, and of each later route.
    ///
    /// - Parameters:
    ///   - presenter: The controller that presents. If it is not in a window, call ``update()``
    ///     when it has appeared.
    ///   - route: The route to show, or `nil`.
    ///   - animated: Whether presentations and dismissals are animated.
    ///   - makeController: Makes the controller of a route. It must not capture this object.
    public init(
      from presenter: UIViewController, following route: StateStore<Route?>, animated: Bool = true,
      makeController: @escaping @MainActor (Route) -> UIViewController
    ) {
      self.presenter = presenter
      self.route = route
      self.animated = animated
      self.makeController = makeController
      update()
      observation = route.observe(on: self) { modal, _ in modal.update() }
    }

    /// Presents or dismisses, if the presented controller is not that of the current route.
    ///
    /// This object calls it after each change of the route, and when the presented controller has
    /// been closed. Call it when the presenting controller has appeared.
    public func update() {
      noticeEnd()
      let (wanted, version) = route.storage.versionedValue
      let isUpToDate = shown.map { $0.version == version } ?? (wanted == nil)
      guard !isUpToDate, !isMakingController, let presenter else { return }
      guard !presenter.isInTransition else {
        return presenter.whenTransitionEnds { [weak self] in self?.update() }
      }
      if let shown, shown.route == wanted {
        self.shown?.version = version
      } else if let controller = shown?.controller {
        controller.presentingViewController?.dismiss(animated: animated) { [weak self] in self?.update() }
      } else if let wanted, presenter.viewIfLoaded?.window != nil {
        present(wanted, from: presenter)
      }
    }

    private func present(_ wanted: Route, from presenter: UIViewController) {
      isMakingController = true
      let controller = makeController(wanted)
      isMakingController = false
      // Making the controller may have changed the route.
      let (current, version) = route.storage.versionedValue
      guard current == wanted else { return update() }
      shown = Shown(route: wanted, version: version, controller: controller)
      presenter.lastPresented.present(controller, animated: animated) { [weak self] in self?.update() }
      noticeEnd()
    }

    /// Removes the route of a controller that was closed, unless a route was set since. The route
    /// of a controller that UIKit has refused to present stays, and is presented by a later update.
    private func noticeEnd() {
      guard let shown else { return }
      guard let controller = shown.controller, controller.presentingViewController != nil else {
        self.shown = nil
        if shown.wasPresented { _ = route.storage.send(nil, ifVersion: shown.version) }
        return
      }
      self.shown?.wasPresented = true
      if shown.mark?.window == nil, let container = controller.presentationController?.containerView {
        let mark = ContainerMark { [weak self] in self?.update() }
        container.insertSubview(mark, at: 0)
        self.shown?.mark = mark
      }
    }
  }

  /// An invisible view that tells when the container of a presentation leaves its window, or is
  /// released.
  ///
  /// UIKit tells the delegate of a presentation only about gestures. The view of the presented
  /// controller can belong to a framework that allows no other subviews, such as SwiftUI.
  private final class ContainerMark: UIView {
    private let onEnd: @MainActor @Sendable () -> Void

    init(onEnd: @escaping @MainActor @Sendable () -> Void) {
      self.onEnd = onEnd
      super.init(frame: .zero)
      isHidden = true
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { fatalError("ContainerMark is not archived") }

    // In a task, because the controllers are still connected when the view leaves the window.
    override func didMoveToWindow() {
      super.didMoveToWindow()
      if window == nil { Task { [onEnd] in onEnd() } }
    }

    // audit:ignore task-in-deinit It keeps only the closure.
    deinit { Task { @MainActor [onEnd] in onEnd() } }
  }
#endif
