/// The life-cycle hooks of a view controller, without a view and without UIKit.
///
/// A ``ScreenHost`` owns a screen and calls its hooks. In an app, a view controller stores the host
/// and forwards its own callbacks to the host. A test calls the host directly, on any platform.
///
/// ```swift
/// final class CartScreen: HostedScreen {
///   private let model: CartViewModel
///   init(model: CartViewModel) { self.model = model }
///
///   func didLoad(in host: ScreenHost) {
///     host.bindings.observe(model, on: self) { screen, state in screen.render(state) }
///   }
/// }
/// ```
///
/// | hook | when |
/// | --- | --- |
/// | ``didLoad(in:)`` | once, before the screen is first shown. **Bind here, never in `init`** |
/// | ``willAppear(animated:)``, ``didAppear(animated:)`` | each time the screen is shown |
/// | ``willDisappear(animated:)``, ``didDisappear(animated:)`` | each time the screen is hidden |
/// | ``willLayout(in:)``, ``didLayout(in:)`` | while the screen is on display, if the size differs from that of the last layout |
/// | ``willTransition(to:with:)`` | before a change of size that may be animated |
/// | ``didReceiveMemoryWarning()`` | at any time between the load and the end of the screen |
/// | ``willMove(to:)``, ``didMove(to:)`` | when the screen gets or loses a parent |
///
/// A cancelled appearance goes from `willAppear` to `willDisappear`, and a cancelled disappearance
/// from `willDisappear` to `willAppear`. A `willLayout` that hides the screen or changes its size
/// is not followed by `didLayout` in the old size.
///
/// - Isolation: The main actor, for all members.
/// - Ownership: The host owns the screen, so a screen must reference its host weakly or not at all.
///   Store the screen's observations, tasks and tokens in ``ScreenHost/bindings``. Their closures
///   must not capture the screen strongly.
@MainActor
public protocol HostedScreen: AnyObject, Sendable {
  /// Called once, before the screen is first shown.
  ///
  /// - Parameter host: The host of this screen. The host has the screen's bindings and children,
  ///   and the streams of traits and keyboard changes.
  func didLoad(in host: ScreenHost)

  /// Called when the screen begins to appear.
  func willAppear(animated: Bool)
  /// Called when the screen has appeared.
  func didAppear(animated: Bool)
  /// Called when the screen begins to disappear.
  func willDisappear(animated: Bool)
  /// Called when the screen has disappeared.
  func didDisappear(animated: Bool)

  /// Called before the layout in the first size, and in each size that differs from that of the
  /// last layout, while the screen is on display. Prepare what the layout needs, such as the number
  /// of columns for the width.
  func willLayout(in size: ViewportSize)

  /// Called after the layout that ``willLayout(in:)`` has announced.
  func didLayout(in size: ViewportSize)

  /// Called before the size changes. The coordinator accepts actions that run alongside or after
  /// the change.
  func willTransition(to size: ViewportSize, with coordinator: ScreenTransitionCoordinator)

  /// Called when memory is low. Release everything that can be created again.
  func didReceiveMemoryWarning()

  /// Called before the screen gets a parent or, with `nil`, before the screen loses its parent.
  func willMove(to parent: ScreenHost?)

  /// Called after the screen has got a parent or, with `nil`, after the screen has lost its parent.
  ///
  /// Also called, with the current parent, if the removal from this parent was cancelled.
  func didMove(to parent: ScreenHost?)

  /// Returns the size that a child gets if this screen has the size `size`. By default, this is all
  /// of `size`.
  ///
  /// - Precondition: The returned size is valid: its width and height are finite and not negative.
  ///   For an invalid size, a debug build stops the process with a message that names both screens.
  ///   In a release build, the child keeps its last size, and neither the child nor its children
  ///   learn of the change.
  func size(of child: ScreenHost, in size: ViewportSize) -> ViewportSize
}

extension HostedScreen {
  /// Does nothing.
  public func didLoad(in host: ScreenHost) {}
  /// Does nothing.
  public func willAppear(animated: Bool) {}
  /// Does nothing.
  public func didAppear(animated: Bool) {}
  /// Does nothing.
  public func willDisappear(animated: Bool) {}
  /// Does nothing.
  public func didDisappear(animated: Bool) {}
  /// Does nothing.
  public func willLayout(in size: ViewportSize) {}
  /// Does nothing.
  public func didLayout(in size: ViewportSize) {}
  /// Does nothing.
  public func willTransition(to size: ViewportSize, with coordinator: ScreenTransitionCoordinator) {}
  /// Does nothing.
  public func didReceiveMemoryWarning() {}
  /// Does nothing.
  public func willMove(to parent: ScreenHost?) {}
  /// Does nothing.
  public func didMove(to parent: ScreenHost?) {}
  /// Returns all of `size`.
  public func size(of child: ScreenHost, in size: ViewportSize) -> ViewportSize { size }
}

/// A call of a load, appearance or layout hook of a ``HostedScreen``, as a value.
package enum ScreenHook: Hashable, Sendable {
  /// A call of ``HostedScreen/didLoad(in:)``.
  case didLoad
  /// A call of ``HostedScreen/willAppear(animated:)``.
  case willAppear(animated: Bool)
  /// A call of ``HostedScreen/didAppear(animated:)``.
  case didAppear(animated: Bool)
  /// A call of ``HostedScreen/willDisappear(animated:)``.
  case willDisappear(animated: Bool)
  /// A call of ``HostedScreen/didDisappear(animated:)``.
  case didDisappear(animated: Bool)
  /// A call of ``HostedScreen/willLayout(in:)``.
  case willLayout(ViewportSize)
  /// A call of ``HostedScreen/didLayout(in:)``.
  case didLayout(ViewportSize)
}
