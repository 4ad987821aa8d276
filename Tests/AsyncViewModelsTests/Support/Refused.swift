struct Refused: Error, Equatable {
  var reason = "refused"
}
