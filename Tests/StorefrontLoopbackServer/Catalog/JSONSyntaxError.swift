/// A JSON syntax error. Lines and columns are counted from 1, columns in bytes.
struct JSONSyntaxError: Error, Equatable {
  let line: Int
  let column: Int
  let reason: String
}
