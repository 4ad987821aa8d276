/// Where a text stops being JSON. Line and column count from 1; the column counts bytes.
struct JSONSyntaxError: Error, Equatable {
  let line: Int
  let column: Int
  let reason: String
}
