/// Reads a command line flag by flag. `--flag value` and `--flag=value` mean the same.
///
/// ```swift
/// var reader = ArgumentReader(arguments)
/// while let flag = try reader.nextFlag() {
///   switch flag {
///   case "--quick": isQuick = true
///   case "--json": json = try reader.value()
///   default: throw .unknownFlag(flag)
///   }
/// }
/// ```
package struct ArgumentReader {
  private var rest: ArraySlice<String>
  private var flag = ""
  /// The text behind the equals sign, until ``value()`` takes it.
  private var joinedValue: String?

  /// - Parameter arguments: The arguments without the program's name.
  package init(_ arguments: [String]) { rest = arguments[...] }

  /// Returns the next flag, or `nil` after the last one.
  ///
  /// - Throws: ``UsageError`` if the next argument is not a flag, or if the current flag has a joined value (`--flag=value`)
  ///   that the caller did not read.
  package mutating func nextFlag() throws(UsageError) -> String? {
    if joinedValue != nil { throw .needlessValue(flag: flag) }
    guard let argument = rest.popFirst() else { return nil }
    guard argument.hasPrefix("-") else { throw .unexpectedArgument(argument) }
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    flag = String(parts[0])
    joinedValue = parts.count > 1 ? String(parts[1]) : nil
    return flag
  }

  /// Returns the value of the current flag.
  ///
  /// - Throws: ``UsageError/missingValue(flag:)`` if there is no value, or if the value is empty or begins
  ///   with `--`.
  package mutating func value() throws(UsageError) -> String {
    guard let value = joinedValue.take() ?? rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
      throw .missingValue(flag: flag)
    }
    return value
  }

  /// Returns the value of the current flag, converted by `parse`.
  ///
  /// - Parameter expected: The words for a valid value in the error: "a whole number".
  /// - Throws: ``UsageError/missingValue(flag:)``, or ``UsageError/invalidValue(flag:value:expected:)`` if `parse`
  ///   returns `nil`.
  package mutating func value<Value>(
    _ expected: String, _ parse: (String) -> Value?
  ) throws(UsageError) -> Value {
    let text = try value()
    guard let value = parse(text) else {
      throw .invalidValue(flag: flag, value: text, expected: expected)
    }
    return value
  }
}
