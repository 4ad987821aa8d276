/// The size of a screen, in points.
public struct ViewportSize: Hashable, Sendable {
  public var width: Double
  public var height: Double

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Whether both sides are numbers, finite and not negative.
  public var isValid: Bool {
    width.isFinite && height.isFinite && width >= 0 && height >= 0
  }
}

/// What a screen inherits from where it is shown.
public struct ScreenTraits: Hashable, Sendable {
  public enum SizeClass: Hashable, Sendable { case compact, regular }
  public enum Style: Hashable, Sendable { case light, dark }

  public var horizontalSizeClass: SizeClass
  public var verticalSizeClass: SizeClass
  public var style: Style

  public init(
    horizontalSizeClass: SizeClass = .compact, verticalSizeClass: SizeClass = .regular,
    style: Style = .light
  ) {
    self.horizontalSizeClass = horizontalSizeClass
    self.verticalSizeClass = verticalSizeClass
    self.style = style
  }
}

/// The keyboard comes, goes, or changes its height.
public struct KeyboardChange: Hashable, Sendable {
  public enum Moment: Hashable, Sendable { case willShow, didShow, willHide, didHide }

  public var moment: Moment
  /// How much of the screen it covers, in points, once the change is over.
  public var height: Double
  /// How long the animation takes that goes with it.
  public var duration: Duration

  public init(_ moment: Moment, height: Double = 0, duration: Duration = .zero) {
    self.moment = moment
    self.height = height
    self.duration = duration
  }
}
