import Foundation

extension UIView {
  /// The parts of a view's frame that change when the size of its superview changes.
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1 << 0)
    public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
    public static let flexibleRightMargin = AutoresizingMask(rawValue: 1 << 2)
    public static let flexibleTopMargin = AutoresizingMask(rawValue: 1 << 3)
    public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
    public static let flexibleBottomMargin = AutoresizingMask(rawValue: 1 << 5)
  }

  /// Changes the frame after the superview's size changed.
  func autoresize(from oldSize: CGSize, to newSize: CGSize) {
    guard !autoresizingMask.isEmpty else { return }
    let old = frame
    let (x, width) = UIView.resized(
      start: old.origin.x, length: old.size.width, from: oldSize.width, to: newSize.width,
      flexible: (
        autoresizingMask.contains(.flexibleLeftMargin), autoresizingMask.contains(.flexibleWidth),
        autoresizingMask.contains(.flexibleRightMargin)
      ))
    let (y, height) = UIView.resized(
      start: old.origin.y, length: old.size.height, from: oldSize.height, to: newSize.height,
      flexible: (
        autoresizingMask.contains(.flexibleTopMargin), autoresizingMask.contains(.flexibleHeight),
        autoresizingMask.contains(.flexibleBottomMargin)
      ))
    frame = CGRect(origin: CGPoint(x: x, y: y), size: CGSize(width: width, height: height))
  }

  /// Distributes the change of a length to the flexible parts, in proportion to their lengths.
  private static func resized(
    start: CGFloat, length: CGFloat, from oldTotal: CGFloat, to newTotal: CGFloat,
    flexible: (start: Bool, length: Bool, end: Bool)
  ) -> (start: CGFloat, length: CGFloat) {
    let parts: [(length: CGFloat, isFlexible: Bool)] = [
      (start, flexible.start), (length, flexible.length), (oldTotal - start - length, flexible.end),
    ]
    let flexibleParts = parts.filter { $0.isFlexible }
    guard !flexibleParts.isEmpty else { return (start, length) }
    let flexibleLength = flexibleParts.reduce(0) { $0 + $1.length }
    let change = newTotal - oldTotal
    func newLength(_ part: (length: CGFloat, isFlexible: Bool)) -> CGFloat {
      guard part.isFlexible else { return part.length }
      if flexibleLength > 0 { return part.length + change * part.length / flexibleLength }
      return part.length + change / CGFloat(flexibleParts.count)
    }
    return (newLength(parts[0]), max(0, newLength(parts[1])))
  }
}
