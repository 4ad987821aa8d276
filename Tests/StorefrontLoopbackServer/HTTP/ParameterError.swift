/// An invalid query parameter or body field, and the reason.
package struct ParameterError: Error, Equatable {
  let parameter: String
  let reason: String
}
