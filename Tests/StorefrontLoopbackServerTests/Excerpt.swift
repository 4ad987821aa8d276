import Testing

/// A text that a test's report shows on one short line.
struct Excerpt: Sendable, ExpressibleByStringLiteral, CustomTestStringConvertible {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  init(stringLiteral text: String) {
    self.text = text
  }

  var testDescription: String { String(text.debugDescription.prefix(60)) }
}
