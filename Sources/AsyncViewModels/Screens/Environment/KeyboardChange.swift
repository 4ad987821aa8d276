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
