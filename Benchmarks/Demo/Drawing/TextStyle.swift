/// The look of a character. The colors are those of the user's terminal theme.
struct TextStyle: Hashable {
  enum Color: Int {
    case red = 31
    case green = 32
    case yellow = 33
    case cyan = 36
  }

  var color: Color?
  var isBold = false
  var isDim = false
  var isReversed = false

  static let plain = TextStyle()
  static let bold = TextStyle(isBold: true)
  static let dim = TextStyle(isDim: true)
  /// An error or a loss.
  static let bad = TextStyle(color: .red, isBold: true)
  /// A warning, or a value that is close to a limit.
  static let warning = TextStyle(color: .yellow)
  /// A success, or a value that is as wanted.
  static let good = TextStyle(color: .green)
  /// A value that the user can change, and a key.
  static let accent = TextStyle(color: .cyan)

  var reversed: TextStyle {
    var style = self
    style.isReversed = true
    // Dim text on a reversed background is hard to read.
    style.isDim = false
    return style
  }

  /// The escape sequence that selects this style in place of every earlier one.
  ///
  /// - Parameter hasColor: Whether to use colors. Without them, the text stays readable.
  func escapeSequence(hasColor: Bool) -> String {
    var codes = [0]
    if isBold { codes.append(1) }
    if isDim { codes.append(2) }
    if isReversed { codes.append(7) }
    if hasColor, let color { codes.append(color.rawValue) }
    return "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m"
  }
}
