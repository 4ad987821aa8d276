/// An invalid query parameter or body field, and the reason.
struct ParameterError: Error, Equatable {
  let parameter: String
  let reason: String
}
