#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// A view controller that calls the hooks of a ``HostedScreen``.
  ///
  /// The screen contains the code and needs no UIKit, so its tests run on every platform. This controller has the view,
  /// and passes its own life cycle to the screen's ``ScreenHost``:
  ///
  /// | view controller | screen |
  /// | --- | --- |
  /// | `viewDidLoad` | ``HostedScreen/didLoad(in:)`` |
  /// | `viewWillAppear`, `viewDidAppear` | ``HostedScreen/willAppear(animated:)``, ``HostedScreen/didAppear(animated:)`` |
  /// | `viewWillDisappear`, `viewDidDisappear` | the `disappear` hooks |
  /// | `viewDidLayoutSubviews` | ``HostedScreen/didLayout(in:)``, if the size has changed |
  /// | `viewWillTransition(to:with:)` | ``HostedScreen/willTransition(to:with:)`` |
  /// | `didReceiveMemoryWarning` | ``HostedScreen/didReceiveMemoryWarning()`` |
  /// | changes of traits and of the keyboard | ``ScreenHost/traitChanges()``, ``ScreenHost/keyboardChanges()`` |
  ///
  /// A subclass makes the view and renders. The hooks ``HostedScreen/willMove(to:)`` and ``HostedScreen/didMove(to:)`` are
  /// not called, because the parent of this controller is not a screen.
  ///
  /// - Isolation: The main actor.
  /// - Ownership: The controller keeps the host and the screen. When it is released, the bindings of the screen end.
  @MainActor
  open class ScreenViewController: UIViewController {
    /// The host of the screen, which also has the screen's bindings.
    public let host: ScreenHost
    private let bindings = ScreenBindings()

    /// Creates a controller for a screen.
    ///
    /// - Precondition: `screen` has no other host.
    public init(_ screen: some HostedScreen) {
      host = ScreenHost(screen)
      super.init(nibName: nil, bundle: nil)
    }

    /// A screen cannot be made from an archive.
    @available(*, unavailable)
    public required init?(coder: NSCoder) {
      fatalError("ScreenViewController cannot be made from an archive")
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      forward { () throws(ScreenHostError) in
        try host.setTraits(ScreenTraits(traitCollection))
        try host.load()
      }
      bindings.observe(traitChanges(), on: self) { controller, traits in
        controller.forward { () throws(ScreenHostError) in try controller.host.setTraits(traits) }
      }
      bindings.observe(NotificationCenter.default.keyboardChanges(), on: self) { controller, change in
        controller.host.send(change)
      }
    }

    open override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      forward { () throws(ScreenHostError) in try host.beginAppearing(animated: animated) }
    }

    open override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      forward { () throws(ScreenHostError) in try host.endAppearing() }
    }

    open override func viewWillDisappear(_ animated: Bool) {
      super.viewWillDisappear(animated)
      forward { () throws(ScreenHostError) in try host.beginDisappearing(animated: animated) }
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      forward { () throws(ScreenHostError) in try host.endDisappearing() }
    }

    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      forward { () throws(ScreenHostError) in try host.resize(to: ViewportSize(view.bounds.size)) }
    }

    open override func viewWillTransition(
      to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator
    ) {
      super.viewWillTransition(to: size, with: coordinator)
      var transition: ScreenSizeTransition?
      coordinator.animate { [host] context in
        transition = try? host.beginTransition(to: ViewportSize(size), animated: context.isAnimated)
      } completion: { context in
        try? context.isCancelled ? transition?.cancel() : transition?.finish()
      }
    }

    open override func didReceiveMemoryWarning() {
      super.didReceiveMemoryWarning()
      host.sendMemoryWarning()
    }

    /// Takes a step of the life cycle. UIKit takes the steps in a legal order, unless other code calls these methods.
    private func forward(_ step: () throws(ScreenHostError) -> Void) {
      do { try step() } catch { assertionFailure("\(type(of: self)): \(error)") }
    }
  }

  extension ViewportSize {
    /// Creates a size from a size of UIKit.
    public init(_ size: CGSize) { self.init(width: Double(size.width), height: Double(size.height)) }
  }
#endif
