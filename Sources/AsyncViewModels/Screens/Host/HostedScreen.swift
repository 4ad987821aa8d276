/// What a view controller is to the code that binds it: the hooks of its life, in their order, without a view and without UIKit.
///
/// A ``ScreenHost`` drives a screen and owns it. In an app, a view controller keeps the host, and passes its own callbacks on; a test
/// drives the same screen on any machine.
///
/// ```swift
/// final class CartScreen: HostedScreen {
///   private let model: CartViewModel
///   init(model: CartViewModel) { self.model = model }
///
///   func didLoad(in host: ScreenHost) {
///     host.bindings.observe(model.states(), on: self) { screen, state in screen.render(state) }
///   }
/// }
/// ```
///
/// | hook | when |
/// | --- | --- |
/// | ``didLoad(in:)`` | once, before it is first shown. **This is where a screen binds, never in `init`** |
/// | ``willAppear(animated:)`` … ``didAppear(animated:)`` | each time that it is shown |
/// | ``willDisappear(animated:)`` … ``didDisappear(animated:)`` | each time that it is hidden |
/// | ``didLayout(in:)`` | on display, when the size differs from the one that it was laid out in before |
/// | ``willTransition(to:with:)`` | before a change of size that may be animated |
/// | ``didReceiveMemoryWarning()`` | any time after the load |
/// | ``willMove(to:)`` … ``didMove(to:)`` | when it gets, or loses, a parent |
///
/// An appearance that is called off goes from `willAppear` to `willDisappear`, or from `willDisappear` to `willAppear`: a `will`
/// is no promise of its `did`.
///
/// - Isolation: the main actor, all of it.
/// - Ownership: the host owns the screen, so a screen keeps its host weakly, or not at all. What it binds goes into
///   ``ScreenHost/bindings``, and captures the screen weakly.
@MainActor
public protocol HostedScreen: AnyObject, Sendable {
  /// Called once. `host` has the bindings, the streams of the keyboard and the traits, and takes children.
  func didLoad(in host: ScreenHost)

  func willAppear(animated: Bool)
  func didAppear(animated: Bool)
  func willDisappear(animated: Bool)
  func didDisappear(animated: Bool)

  /// The size is another than in the last call, or this is the first.
  func didLayout(in size: ViewportSize)

  /// The size is going to change. What goes with the change, and what follows it, is given to the coordinator.
  func willTransition(to size: ViewportSize, with coordinator: ScreenTransitionCoordinator)

  /// Give back what can be made again.
  func didReceiveMemoryWarning()

  /// The first step of getting a parent, or, with `nil`, of losing it.
  func willMove(to parent: ScreenHost?)

  /// The last step of getting a parent, or, with `nil`, of losing it. It also ends a loss that was called off.
  func didMove(to parent: ScreenHost?)

  /// The part of this screen's size that a child gets: all of it, unless the screen says otherwise.
  func size(of child: ScreenHost, in size: ViewportSize) -> ViewportSize
}

extension HostedScreen {
  public func didLoad(in host: ScreenHost) {}
  public func willAppear(animated: Bool) {}
  public func didAppear(animated: Bool) {}
  public func willDisappear(animated: Bool) {}
  public func didDisappear(animated: Bool) {}
  public func didLayout(in size: ViewportSize) {}
  public func willTransition(to size: ViewportSize, with coordinator: ScreenTransitionCoordinator) {}
  public func didReceiveMemoryWarning() {}
  public func willMove(to parent: ScreenHost?) {}
  public func didMove(to parent: ScreenHost?) {}
  public func size(of child: ScreenHost, in size: ViewportSize) -> ViewportSize { size }
}

/// What a step of the life cycle calls on the screen, as a value.
public enum ScreenHook: Hashable, Sendable {
  case didLoad
  case willAppear(animated: Bool)
  case didAppear(animated: Bool)
  case willDisappear(animated: Bool)
  case didDisappear(animated: Bool)
  case didLayout(ViewportSize)
}
