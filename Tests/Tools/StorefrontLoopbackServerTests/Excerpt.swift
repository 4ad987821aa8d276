import Testing

/// A text that a test report shows in at most 60 characters on one line.
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
