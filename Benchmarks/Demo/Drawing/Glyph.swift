import Foundation

/// A character that every terminal shows in the same number of columns.
///
/// Text from a server can contain anything. Control characters could change the terminal, and
/// terminals disagree about the width of clusters such as joined emoji. So a text is reduced to
/// what all terminals show alike:
///
/// | Character | Glyph |
/// | --- | --- |
/// | control, format and direction characters, unassigned and private ones | none |
/// | line breaks and tabs | a space |
/// | a flag | its two letters |
/// | joined emoji, a skin tone, a variation | the first emoji, without variation |
/// | a letter with marks | the letter with at most two marks |
struct Glyph: Hashable {
  let text: String
  /// 1, or 2 for East Asian wide characters and emoji.
  let columns: Int

  /// Returns the glyphs of a text.
  static func glyphs(of text: String) -> [Glyph] {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
      return text.map { Glyph(text: String($0), columns: 1) }
    }
    return text.precomposedStringWithCanonicalMapping.flatMap(glyphs)
  }

  /// Returns the number of columns in which a text is shown.
  static func columns(of text: String) -> Int { glyphs(of: text).reduce(0) { $0 + $1.columns } }

  private static func glyphs(of character: Character) -> [Glyph] {
    if character.isNewline || character == "\t" || character.isWhitespace {
      return [Glyph(text: " ", columns: 1)]
    }
    let scalars = character.unicodeScalars
    let letters = scalars.compactMap(\.regionalLetter)
    if !letters.isEmpty { return letters.map { Glyph(text: String($0), columns: 1) } }
    guard let base = scalars.first(where: \.isPrintable) else { return [] }
    var cluster = String.UnicodeScalarView([base])
    cluster.append(contentsOf: scalars.lazy.filter(\.isPlainMark).prefix(2))
    return [Glyph(text: String(cluster), columns: base.isWide ? 2 : 1)]
  }
}

extension Unicode.Scalar {
  /// Whether the scalar has its own place on the screen.
  fileprivate var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .nonspacingMark, .enclosingMark, .spacingMark:
      false
    default: true
    }
  }

  /// Whether the scalar is a mark over or under a letter, such as an accent.
  fileprivate var isPlainMark: Bool {
    properties.generalCategory == .nonspacingMark && !properties.isVariationSelector
      && !(0x1160...0x11FF).contains(value)
  }

  /// The letter of a regional indicator. Two indicators form a flag.
  fileprivate var regionalLetter: Unicode.Scalar? {
    (0x1F1E6...0x1F1FF).contains(value) ? Unicode.Scalar(value - 0x1F1E6 + 0x41) : nil
  }

  /// Whether terminals show the scalar in two columns: East Asian wide and fullwidth characters
  /// (UAX #11), and emoji.
  fileprivate var isWide: Bool {
    properties.isEmojiPresentation || Self.wideRanges.contains { $0.contains(value) }
  }

  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x18DF2, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
