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

/// The life cycle of one screen as a pure machine: a step either is refused and changes nothing, or says which hooks it calls.
///
/// - Isolation: none; it is a value.
public struct ScreenAppearanceState: Hashable, Sendable {
  public private(set) var phase = ScreenPhase.unloaded
  public private(set) var size: ViewportSize?
  private var laidOutSize: ViewportSize?
  private var isAnimated = false

  public init() {}

  /// Takes one step.
  ///
  /// - Parameter animated: counts where an appearance or disappearance begins. Its end repeats it.
  /// - Returns: the hooks to call, in this order. A screen that comes on display is laid out between `will` and `did`.
  /// - Throws: ``ScreenHostError/illegalTransition(from:to:)``.
  public mutating func move(
    to next: ScreenPhase, animated: Bool = false
  ) throws(ScreenHostError) -> [ScreenHook] {
    guard phase.canMove(to: next) else { throw .illegalTransition(from: phase, to: next) }
    phase = next
    switch next {
    case .appearing:
      isAnimated = animated
      return [.willAppear(animated: animated)] + layoutIfNeeded()
    case .disappearing:
      isAnimated = animated
      return [.willDisappear(animated: animated)]
    case .loaded: return [.didLoad]
    case .visible: return [.didAppear(animated: isAnimated)]
    case .hidden: return [.didDisappear(animated: isAnimated)]
    case .unloaded, .ended: return []
    }
  }

  /// Takes on a size. Off display it only remembers it.
  ///
  /// - Throws: ``ScreenHostError/invalidSize(_:)``.
  public mutating func resize(to newSize: ViewportSize) throws(ScreenHostError) -> [ScreenHook] {
    guard newSize.isValid else { throw .invalidSize(newSize) }
    size = newSize
    return phase.isOnDisplay ? layoutIfNeeded() : []
  }

  /// The legal steps from here to ``ScreenPhase/loaded``, or to a phase on display or ``ScreenPhase/hidden``. None where the
  /// screen is there already, is further on, or never was on display and so has nothing to hide.
  public func steps(to target: ScreenPhase) -> [ScreenPhase] {
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

  private mutating func layoutIfNeeded() -> [ScreenHook] {
    guard let size, size != laidOutSize else { return [] }
    laidOutSize = size
    return [.didLayout(size)]
  }
}
