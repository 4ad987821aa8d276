/// Where a screen is in its life.
///
/// | from | to |
/// | --- | --- |
/// | ``unloaded`` | ``loaded``, ``ended`` |
/// | ``loaded``, ``hidden`` | ``appearing``, ``ended`` |
/// | ``appearing`` | ``visible``, or ``disappearing`` where it is called off |
/// | ``visible`` | ``disappearing`` |
/// | ``disappearing`` | ``hidden``, or ``appearing`` where it is called off |
public enum ScreenPhase: Hashable, Sendable, CaseIterable {
  /// Made, and nothing else: nothing is bound yet.
  case unloaded
  /// Loaded and bound, and never shown so far.
  case loaded
  /// On its way in.
  case appearing
  case visible
  /// On its way out.
  case disappearing
  /// Shown before, and loaded still.
  case hidden
  /// What it had bound has ended. There is no way back.
  case ended
}

extension ScreenPhase {
  /// Whether it has been loaded, and has not ended.
  public var isLoaded: Bool { self != .unloaded && self != .ended }

  /// Whether a person may see it, or a part of it.
  public var isOnDisplay: Bool {
    switch self {
    case .appearing, .visible, .disappearing: true
    case .unloaded, .loaded, .hidden, .ended: false
    }
  }

  /// Whether `next` may follow directly.
  public func canMove(to next: ScreenPhase) -> Bool {
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
