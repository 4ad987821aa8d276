/// Says that a group is one point of a curve: the same work, and the same variants, at another size.
///
/// What one variant costs per operation along the curve is drawn in reports, and ``Measure/growth(along:of:)`` bounds it.
struct CurvePoint: Codable, Equatable, Sendable {
  /// The name that all points share: "burst, per value and observer".
  let curve: String
  /// What grows, in the plural: "observers".
  let axis: String
  let x: Int
  /// Why the cost changes along the curve where it does; the same at all points, and `nil` where there is nothing to explain.
  var note: String?

  init(_ curve: String, _ axis: String, _ x: Int, note: String? = nil) {
    self.curve = curve
    self.axis = axis
    self.x = x
    self.note = note
  }
}
