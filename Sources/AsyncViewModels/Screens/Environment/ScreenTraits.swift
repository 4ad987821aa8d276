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
