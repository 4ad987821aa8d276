/// A phase of a screen's life cycle.
///
/// | from | to |
/// | --- | --- |
/// | ``unloaded`` | ``loaded``, ``ended`` |
/// | ``loaded``, ``hidden`` | ``appearing``, ``ended`` |
/// | ``appearing`` | ``visible``, or ``disappearing`` if the appearance is cancelled |
/// | ``visible`` | ``disappearing`` |
/// | ``disappearing`` | ``hidden``, or ``appearing`` if the disappearance is cancelled |
public enum ScreenPhase: Hashable, Sendable, CaseIterable {
  /// The screen is created, but not loaded. Nothing is bound yet.
  case unloaded
  /// The screen is loaded and bound, but has not been shown yet.
  case loaded
  /// The screen is about to become visible.
  case appearing
  /// The screen is fully visible.
  case visible
  /// The screen is about to become hidden.
  case disappearing
  /// The screen was shown before, but is no longer on display. It is still loaded and bound.
  case hidden
  /// The bindings of the screen have ended. No other phase can follow.
  case ended
}

extension ScreenPhase {
  /// Whether the screen is loaded and has not ended.
  package var isLoaded: Bool { self != .unloaded && self != .ended }

  /// Whether the screen may be visible, at least in part.
  package var isOnDisplay: Bool {
    switch self {
    case .appearing, .visible, .disappearing: true
    case .unloaded, .loaded, .hidden, .ended: false
    }
  }

  /// Returns whether `next` may directly follow this phase.
  func canMove(to next: ScreenPhase) -> Bool {
    switch (self, next) {
    case (.unloaded, .loaded): true
    case (.loaded, .appearing), (.hidden, .appearing), (.disappearing, .appearing): true
    case (.appearing, .visible): true
    case (.appearing, .disappearing), (.visible, .disappearing): true
    case (.disappearing, .hidden): true
    case (.unloaded, .ended), (.loaded, .ended), (.hidden, .ended): true
    default: false
    }
  }
}

/// The life cycle of one screen as a state machine without side effects.
///
/// A step either returns the hooks to call, or throws an error and changes nothing. The machine is
/// a value without isolation.
package struct ScreenAppearanceState: Hashable, Sendable {
  /// The current phase.
  package private(set) var phase = ScreenPhase.unloaded
  /// The last size that the screen received.
  package var size: ViewportSize?
  private var laidOutSize: ViewportSize?
  /// The size whose `willLayout` has been called, and whose `didLayout` has not.
  private var announcedSize: ViewportSize?
  /// The last change of the keyboard, even if the screen was off display.
  var keyboard = KeyboardChange(.didHide)
  /// The last change of the keyboard that the screen has received.
  var receivedKeyboard: KeyboardChange?
  private var isAnimated = false

  /// Creates the state of a screen that is not loaded.
  package init() {}

  /// Takes one step of the life cycle, without a layout.
  ///
  /// - Parameters:
  ///   - next: The phase to go to.
  ///   - animated: Whether the screen appears or disappears with an animation. The step that ends
  ///     an appearance or disappearance uses the value of the step that began it.
  /// - Returns: The hooks to call, in order.
  /// - Throws: ``ScreenHostError/illegalTransition(from:to:)``.
  package mutating func move(
    to next: ScreenPhase, animated: Bool = false
  ) throws(ScreenHostError) -> [ScreenHook] {
    guard phase.canMove(to: next) else { throw .illegalTransition(from: phase, to: next) }
    phase = next
    switch next {
    case .appearing:
      isAnimated = animated
      return [.willAppear(animated: animated)]
    case .disappearing:
      isAnimated = animated
      return [.willDisappear(animated: animated)]
    case .loaded: return [.didLoad]
    case .visible: return [.didAppear(animated: isAnimated)]
    case .hidden:
      announcedSize = nil
      return [.didDisappear(animated: isAnimated)]
    case .unloaded, .ended: return []
    }
  }

  /// Returns the legal steps that lead from the current phase to `target`.
  ///
  /// There are no steps if the screen has ended or has already reached `target`. For example, a
  /// screen that is ``ScreenPhase/visible`` has already reached ``ScreenPhase/appearing``. If the
  /// screen is not on display, there are no steps to ``ScreenPhase/disappearing`` and
  /// ``ScreenPhase/hidden``. There are never any steps to ``ScreenPhase/unloaded`` and
  /// ``ScreenPhase/ended``.
  package func steps(to target: ScreenPhase) -> [ScreenPhase] {
    switch (target, phase) {
    case (.loaded, .unloaded): [.loaded]
    case (.appearing, .unloaded): [.loaded, .appearing]
    case (.appearing, .loaded), (.appearing, .hidden), (.appearing, .disappearing): [.appearing]
    case (.visible, .appearing): [.visible]
    case (.visible, .unloaded), (.visible, .loaded), (.visible, .hidden), (.visible, .disappearing):
      steps(to: .appearing) + [.visible]
    case (.disappearing, .appearing), (.disappearing, .visible): [.disappearing]
    case (.hidden, .appearing), (.hidden, .visible): [.disappearing, .hidden]
    case (.hidden, .disappearing): [.hidden]
    default: []
    }
  }

  /// Returns the hook to call before a layout: `willLayout` if the screen is on display and its
  /// size differs from that of the last layout.
  package mutating func beginLayout() -> [ScreenHook] {
    if size == laidOutSize { announcedSize = nil }
    guard phase.isOnDisplay, let size, size != laidOutSize, size != announcedSize else { return [] }
    announcedSize = size
    return [.willLayout(size)]
  }

  /// Returns the hook to call after a layout: `didLayout` if `willLayout` was called for the
  /// current size.
  ///
  /// A `willLayout` can have changed the size, which was then laid out already, or can have hidden
  /// the screen.
  package mutating func endLayout() -> [ScreenHook] {
    guard phase.isOnDisplay, let size, size == announcedSize else { return [] }
    (laidOutSize, announcedSize) = (size, nil)
    return [.didLayout(size)]
  }

  /// Returns whether a screen on display has to receive a change of the keyboard: if it differs
  /// from the last one that the screen has received. A screen that has received none expects no
  /// keyboard.
  func misses(_ change: KeyboardChange) -> Bool {
    receivedKeyboard.map { $0 != change } ?? (change.height > 0)
  }
}
