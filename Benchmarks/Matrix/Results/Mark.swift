/// How close a number is to its ``Goal``.
enum Mark: String, Codable, Sendable {
  /// The wanted number.
  case works
  /// Any other number.
  case limited
  /// The worst number that is possible.
  case fails

  /// The mark of a stage with several numbers: their common mark, or ``limited`` if they differ.
  init(_ marks: [Mark]) {
    self = Set(marks).count == 1 ? marks[0] : .limited
  }

  var symbol: String {
    switch self {
    case .works: "✓"
    case .limited: "~"
    case .fails: "✗"
    }
  }

  static let legend = "✓ the wanted number · ~ some of it · ✗ nothing of it"
}
