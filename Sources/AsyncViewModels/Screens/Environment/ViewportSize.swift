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
