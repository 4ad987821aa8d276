package struct Refused: Error, Equatable {
  package var reason: String

  package init(reason: String = "refused") { self.reason = reason }
}
