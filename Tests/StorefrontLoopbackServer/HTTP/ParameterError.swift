/// What is wrong with a parameter of a query, or a field of a body.
struct ParameterError: Error, Equatable {
  let parameter: String
  let reason: String
}
