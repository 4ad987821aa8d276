/// On which side of a number a measured one has to lie.
enum Bound: Codable, Equatable, Sendable {
  case atMost(Double)
  case atLeast(Double)

  func admits(_ value: Double) -> Bool {
    switch self {
    case .atMost(let limit): value <= limit
    case .atLeast(let limit): value >= limit
    }
  }
}
