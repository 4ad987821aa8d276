/// A failed expectation of a program.
struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

/// - Throws: ``Unexpected`` if `condition` is false.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(Unexpected) {
  if !condition { throw Unexpected(description: message()) }
}

/// - Throws: ``Unexpected`` if the values differ.
func expectEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, _ name: @autoclosure () -> String
) throws(Unexpected) {
  try expect(value == expected, "\(name()): expected \(expected), got \(value)")
}

/// - Throws: ``Unexpected`` if `call` does not throw `expected`.
func expectError<Failure: Error & Equatable>(
  _ expected: Failure, _ call: () throws(Failure) -> Void
) throws(Unexpected) {
  do { try call() } catch {
    return try expectEqual(error, expected, "the error thrown")
  }
  throw Unexpected(description: "no error was thrown; expected \(expected)")
}
