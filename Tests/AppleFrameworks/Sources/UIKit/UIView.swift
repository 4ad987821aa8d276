public import Foundation

/// A rectangle on a screen, which can contain other views.
///
/// A view owns its subviews. It does not own its superview or its view controller.
@MainActor
open class UIView: UIResponder {
  var position: CGPoint
  var needsLayout = true
  var subviewStorage: [UIView] = []
  weak var superviewStorage: UIView?

  /// The controller whose `view` this is.
  weak var viewController: UIViewController?

  public init(frame: CGRect) {
    position = frame.origin
    bounds = CGRect(origin: .zero, size: frame.size)
    super.init()
  }

  public convenience override init() { self.init(frame: .zero) }

  public required init?(coder: NSCoder) {
    position = .zero
    bounds = .zero
    super.init()
  }

  // MARK: Geometry

  /// The rectangle of this view in its superview's coordinates.
  open var frame: CGRect {
    get { CGRect(origin: position, size: bounds.size) }
    set {
      position = newValue.origin
      bounds.size = newValue.size
    }
  }

  /// The rectangle of this view in its own coordinates. A new size changes the frames of the subviews
  /// according to their autoresizing masks.
  open var bounds: CGRect {
    didSet { if bounds.size != oldValue.size { sizeDidChange(from: oldValue.size) } }
  }

  /// How the frame changes when the size of the superview changes.
  open var autoresizingMask: AutoresizingMask = []

  /// Reacts to a new size. The window and the container of a navigation controller add to this.
  func sizeDidChange(from oldSize: CGSize) {
    for subview in subviews { subview.autoresize(from: oldSize, to: bounds.size) }
    setNeedsLayout()
  }

  // MARK: Appearance

  /// How opaque this view is, from 0 to 1.
  open var alpha: CGFloat = 1

  /// Whether this view and its subviews are hidden.
  open var isHidden = false

  // MARK: Hierarchy

  open var superview: UIView? { superviewStorage }

  /// The subviews, the one at the back first.
  open var subviews: [UIView] { subviewStorage }

  /// The window that this view is in.
  open var window: UIWindow? { superview?.window }

  /// Adds a view in front of the other subviews. If the view has another superview, moves it.
  open func addSubview(_ view: UIView) { UIView.move(view, to: self, at: nil) }

  open func insertSubview(_ view: UIView, at index: Int) { UIView.move(view, to: self, at: index) }

  open func removeFromSuperview() { UIView.move(self, to: nil, at: nil) }

  /// Whether `view` is this view or contains it at any depth.
  open func isDescendant(of view: UIView) -> Bool {
    self === view || superview?.isDescendant(of: view) == true
  }

  open func willMove(toSuperview newSuperview: UIView?) {}
  open func didMoveToSuperview() {}
  open func willMove(toWindow newWindow: UIWindow?) {}
  open func didMoveToWindow() {}

  // MARK: Layout

  /// Requests a layout in the next update cycle, which is ``UIKitStandIn/advance()``.
  open func setNeedsLayout() { needsLayout = true }

  /// Lays out this view and its subviews now, if they need it.
  open func layoutIfNeeded() { layOutTree() }

  /// Lays out the subviews. Override this function, and do not call it.
  open func layoutSubviews() {}
}
