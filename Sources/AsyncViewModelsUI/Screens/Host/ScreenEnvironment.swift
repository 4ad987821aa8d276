/// The size of a screen, in points.
public struct ViewportSize: Hashable, Sendable {
  /// The width in points.
  public var width: Double
  /// The height in points.
  public var height: Double

  /// Creates a size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Whether the width and the height are finite and not negative.
  package var isValid: Bool {
    width.isFinite && height.isFinite && width >= 0 && height >= 0
  }
}

/// The display properties that a screen inherits from its parent. The app sets the properties of
/// the root.
public struct ScreenTraits: Hashable, Sendable {
  /// The amount of space in one dimension.
  public enum SizeClass: Hashable, Sendable {
    /// Limited space, such as the width of a phone.
    case compact
    /// Ample space, such as the width of a tablet.
    case regular
  }

  /// The appearance of the user interface.
  public enum Style: Hashable, Sendable {
    /// Dark content on a light background.
    case light
    /// Light content on a dark background.
    case dark
  }

  /// The horizontal size class.
  public var horizontalSizeClass: SizeClass
  /// The vertical size class.
  public var verticalSizeClass: SizeClass
  /// The appearance of the user interface.
  public var style: Style

  /// Creates traits. The default values are those of a phone in portrait orientation and light
  /// style.
  public init(
    horizontalSizeClass: SizeClass = .compact, verticalSizeClass: SizeClass = .regular,
    style: Style = .light
  ) {
    self.horizontalSizeClass = horizontalSizeClass
    self.verticalSizeClass = verticalSizeClass
    self.style = style
  }
}
