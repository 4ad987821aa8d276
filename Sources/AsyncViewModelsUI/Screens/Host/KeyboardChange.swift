/// A change of the keyboard: the keyboard appears, disappears or changes its frame.
public struct KeyboardChange: Hashable, Sendable {
  /// The moment at which a change is reported.
  public enum Moment: Hashable, Sendable {
    /// The keyboard is about to appear.
    case willShow
    /// The keyboard has appeared.
    case didShow
    /// The keyboard is about to disappear.
    case willHide
    /// The keyboard has disappeared.
    case didHide
  }

  /// A rectangle in the coordinates of a screen, in points. The origin of the screen is its upper
  /// left corner.
  public struct Frame: Hashable, Sendable {
    /// The distance of the left edge from that of the screen.
    public var x: Double
    /// The distance of the upper edge from that of the screen.
    public var y: Double
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double

    /// Creates a rectangle.
    public init(x: Double = 0, y: Double = 0, width: Double = 0, height: Double = 0) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// The moment of the change.
  public var moment: Moment
  /// The height, in points, of the part of the screen that the keyboard covers after the change. A
  /// keyboard that hides covers nothing.
  public var height: Double
  /// The frame of the keyboard after the change. A part of it can be outside of the screen.
  public var frame: Frame
  /// The duration of the animation.
  public var duration: Duration
  /// The curve of the animation: in UIKit, the raw value of a `UIView.AnimationCurve`, which has no
  /// name for the keyboard's own curve. The options of an animation with this curve are
  /// `UIView.AnimationOptions(rawValue: UInt(change.curve) << 16)`.
  public var curve: Int

  /// Creates a change from the height that the keyboard covers.
  public init(
    _ moment: Moment, height: Double = 0, frame: Frame = Frame(), duration: Duration = .zero, curve: Int = 0
  ) {
    self.moment = moment
    self.height = height
    self.frame = frame
    self.duration = duration
    self.curve = curve
  }

  /// Creates a change whose ``height`` is that of the part of `frame` that is within a screen of
  /// the size `size`.
  public init(
    _ moment: Moment, frame: Frame, in size: ViewportSize, duration: Duration = .zero, curve: Int = 0
  ) {
    let isShown = moment == .willShow || moment == .didShow
    let width = min(frame.x + frame.width, size.width) - max(frame.x, 0)
    let height = min(frame.y + frame.height, size.height) - max(frame.y, 0)
    self.init(
      moment, height: isShown && width > 0 ? max(height, 0) : 0, frame: frame, duration: duration,
      curve: curve)
  }
}
