/// A value whose text depends on its number, so that a mixture of two values is detected.
struct GrowingValue: Codable, Equatable, Sendable {
  let number: Int
  let text: String

  init(_ number: Int) {
    self.number = number
    text = String(repeating: "\(number) ", count: number * 20)
  }

  var isWhole: Bool { self == GrowingValue(number) }
}
