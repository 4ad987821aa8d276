#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// A view controller that calls the hooks of a ``HostedScreen``.
  ///
  /// The screen contains the code and needs no UIKit, so its tests run on every platform. A
  /// subclass of this controller makes the view and renders. It passes its life cycle to the
  /// screen's ``ScreenHost``:
  ///
  /// | view controller | screen |
  /// | --- | --- |
  /// | `viewDidLoad` | ``HostedScreen/didLoad(in:)`` |
  /// | `viewWillAppear`, `viewDidAppear` | ``HostedScreen/willAppear(animated:)``, ``HostedScreen/didAppear(animated:)`` |
  /// | `viewWillDisappear`, `viewDidDisappear` | the `disappear` hooks |
  /// | `viewWillLayoutSubviews`, `viewDidLayoutSubviews` | ``HostedScreen/willLayout(in:)``, ``HostedScreen/didLayout(in:)``, if the size has changed |
  /// | `viewWillTransition(to:with:)` | ``HostedScreen/willTransition(to:with:)`` |
  /// | `didReceiveMemoryWarning` | ``HostedScreen/didReceiveMemoryWarning()`` |
  /// | `willMove(toParent:)`, `didMove(toParent:)` | ``HostedScreen/willMove(to:)``, ``HostedScreen/didMove(to:)``, with the host of the parent, or with an empty host if the parent is not a `ScreenViewController` |
  /// | changes of traits and of the keyboard | ``ScreenHost/traitChanges()``, ``ScreenHost/keyboardChanges()`` |
  ///
  /// The hooks are called in a legal order, even if UIKit repeats or leaves out a step.
  /// ``ScreenHost/parent`` of the host stays `nil`, because the view controllers contain each
  /// other, not their hosts.
  ///
  /// - Isolation: The main actor.
  /// - Ownership: The controller keeps the host and the screen. When it is released, the bindings
  ///   of the screen end.
  /// - Note: The screen receives the keyboard's part that covers this controller's view, when it
  ///   appears or when the keyboard changes. UIKit does not tell of a keyboard that appeared before
  ///   the first `ScreenViewController` was created.
  @MainActor
  open class ScreenViewController: UIViewController {
    /// The host of the screen, which also has the screen's bindings.
    public let host: ScreenHost
    private let bindings = ScreenBindings()
    private let moves = ScreenMoves()
    #if !os(tvOS)
      private var keyboard: KeyboardAnnouncement?
    #endif

    /// Creates a controller for a screen.
    ///
    /// - Precondition: `screen` has no other host.
    public init(_ screen: some HostedScreen) {
      host = ScreenHost(screen)
      super.init(nibName: nil, bundle: nil)
      #if !os(tvOS)
        keyboard = KeyboardAnnouncement.latest.value
      #endif
    }

    /// A screen cannot be made from an archive.
    @available(*, unavailable)
    public required init?(coder: NSCoder) {
      fatalError("ScreenViewController cannot be made from an archive")
    }

    open override func viewDidLoad() {
      super.viewDidLoad()
      updateTraits()
      registerForTraitChanges(UITraitCollection.observedTraits) { (controller: Self, _) in
        controller.updateTraits()
      }
      #if !os(tvOS)
        bindings.observe(KeyboardAnnouncement.latest.states(.unbounded), on: self) { controller, keyboard in
          // The view can have appeared after this change, and with a newer one.
          guard let keyboard, keyboard.number >= controller.keyboard?.number ?? 0 else { return }
          controller.keyboard = keyboard
          controller.updateKeyboard()
        }
      #endif
      host.go(to: .loaded)
    }

    open override func viewWillAppear(_ animated: Bool) {
      super.viewWillAppear(animated)
      host.go(to: .appearing, animated: animated)
    }

    open override func viewIsAppearing(_ animated: Bool) {
      super.viewIsAppearing(animated)
      updateTraits()
      #if !os(tvOS)
        keyboard = KeyboardAnnouncement.latest.value
      #endif
      updateKeyboard()
    }

    open override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      host.go(to: .visible)
      // During the transition, the view can have been at another place.
      updateKeyboard()
      moves.didAppear(host)
    }

    open override func viewWillDisappear(_ animated: Bool) {
      super.viewWillDisappear(animated)
      host.go(to: .disappearing, animated: animated)
    }

    open override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      host.go(to: .hidden)
    }

    open override func viewWillLayoutSubviews() {
      super.viewWillLayoutSubviews()
      let size = ViewportSize(view.bounds.size)
      if size.isValid, host.expectedParent == nil { host.beginLayout(in: size) }
    }

    open override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      updateSize()
    }

    open override func viewWillTransition(
      to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator
    ) {
      super.viewWillTransition(to: size, with: coordinator)
      // A window can be resized again before the last change has ended.
      if let change = host.sizeChange { host.cancel(change) }
      let change = try? host.announceTransition(to: ViewportSize(size), animated: coordinator.isAnimated)
      guard let change else { return }
      coordinator.animate { _ in
        change.run()
      } completion: { [weak self] context in
        guard let self, host.sizeChange === change else { return }
        host.sizeChange = nil
        updateSize()
        change.end(cancelled: context.isCancelled)
      }
    }

    open override func didReceiveMemoryWarning() {
      super.didReceiveMemoryWarning()
      host.sendMemoryWarning()
    }

    open override func willMove(toParent parent: UIViewController?) {
      super.willMove(toParent: parent)
      moves.willMove(host, to: parent)
    }

    open override func didMove(toParent parent: UIViewController?) {
      super.didMove(toParent: parent)
      moves.didMove(host, to: parent)
    }

    private func updateSize() { try? host.resize(to: ViewportSize(view.bounds.size)) }

    private func updateTraits() {
      let traits = ScreenTraits(traitCollection)
      if traits != host.traits { try? host.setTraits(traits) }
    }

    /// Sends the last keyboard change to the screen if the view is in a window, which tells what
    /// the keyboard covers.
    private func updateKeyboard() {
      #if !os(tvOS)
        if let keyboard, let change = KeyboardChange(keyboard, over: view) { host.sendIfMissed(change) }
      #endif
    }
  }

  extension ViewportSize {
    /// Creates a size from a size of UIKit.
    public init(_ size: CGSize) { self.init(width: Double(size.width), height: Double(size.height)) }
  }
#endif
