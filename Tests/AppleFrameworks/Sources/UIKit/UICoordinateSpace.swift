public import Foundation

/// A frame of reference for positions: a view or a display.
@MainActor
public protocol UICoordinateSpace: NSObjectProtocol {
  func convert(_ rect: CGRect, from coordinateSpace: any UICoordinateSpace) -> CGRect
  func convert(_ rect: CGRect, to coordinateSpace: any UICoordinateSpace) -> CGRect
  var bounds: CGRect { get }
}

extension UIView: UICoordinateSpace {
  /// Converts a rectangle from the coordinates of a display or of a view in the same window.
  public func convert(_ rect: CGRect, from coordinateSpace: any UICoordinateSpace) -> CGRect {
    converted(rect, from: coordinateSpace, to: self)
  }

  public func convert(_ rect: CGRect, to coordinateSpace: any UICoordinateSpace) -> CGRect {
    converted(rect, from: self, to: coordinateSpace)
  }

  /// The place of this view's point (0, 0) in the coordinates of the display.
  fileprivate var zeroOnDisplay: CGPoint {
    let outer = superview?.zeroOnDisplay ?? .zero
    return CGPoint(x: outer.x + position.x - bounds.origin.x, y: outer.y + position.y - bounds.origin.y)
  }
}

// visionOS has no displays.
#if !os(visionOS)
  /// A display. The stand-in has one, at whose upper left corner its coordinates begin.
  @MainActor
  open class UIScreen: NSObject {
    static let display = UIScreen()

    open var bounds: CGRect { UIKitStandIn.screen }

    open var coordinateSpace: any UICoordinateSpace { self }
  }

  extension UIScreen: UICoordinateSpace {
    public func convert(_ rect: CGRect, from coordinateSpace: any UICoordinateSpace) -> CGRect {
      converted(rect, from: coordinateSpace, to: self)
    }

    public func convert(_ rect: CGRect, to coordinateSpace: any UICoordinateSpace) -> CGRect {
      converted(rect, from: self, to: coordinateSpace)
    }
  }
#endif

@MainActor
private func converted(
  _ rect: CGRect, from old: any UICoordinateSpace, to new: any UICoordinateSpace
) -> CGRect {
  let (old, new) = ((old as? UIView)?.zeroOnDisplay ?? .zero, (new as? UIView)?.zeroOnDisplay ?? .zero)
  let origin = CGPoint(x: rect.origin.x + old.x - new.x, y: rect.origin.y + old.y - new.y)
  return CGRect(origin: origin, size: rect.size)
}
