/// The fields in which two values of a type differ, found with `Mirror`.
enum ValueDifference {
  /// Returns a line for each field that differs:
  /// `user.name: expected "Ann", received "Bob"`.
  ///
  /// - Complexity: O(size of the values).
  static func lines(expected: Any, received: Any) -> [String] {
    lines(expected, received) { "expected \($0), received \($1)" }
  }

  /// Returns a line for each field that changed, such as `isLoading: true → false`.
  static func lines(from old: Any, to new: Any) -> [String] {
    lines(old, new) { "\($0) → \($1)" }
  }

  private static func lines(_ old: Any, _ new: Any, _ show: (String, String) -> String) -> [String] {
    let lines = fields(old, new, at: "").map { path, old, new in
      path.isEmpty ? show(old, new) : "\(path): \(show(old, new))"
    }
    return lines.isEmpty ? ["no field looks different: \(text(new))"] : lines
  }

  private static func fields(_ old: Any, _ new: Any, at path: String) -> [(String, String, String)] {
    let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
    let whole = [(path, text(old), text(new))]
    guard before.subjectType == after.subjectType, haveSameShape(before, after) else {
      return text(old) == text(new) ? [] : whole
    }
    // A description that hides a difference gives way to the fields.
    if old is any CustomStringConvertible, isDescribed(before), text(old) != text(new) { return whole }
    return zip(before.children, after.children).enumerated().flatMap { index, pair in
      fields(
        pair.0.value, pair.1.value, at: join(path, label(pair.0.label, at: index, in: before)))
    }
  }

  /// Whether the fields of both values can be compared one by one.
  private static func haveSameShape(_ old: Mirror, _ new: Mirror) -> Bool {
    guard !old.children.isEmpty, old.children.count == new.children.count else { return false }
    return switch old.displayStyle {
    case .set, .dictionary: false
    case .enum, .optional: old.children.first?.label == new.children.first?.label
    default: true
    }
  }

  /// Whether a value with a description is shown with it. The elements of an array are compared.
  private static func isDescribed(_ mirror: Mirror) -> Bool {
    switch mirror.displayStyle {
    case .collection, .optional, .tuple: false
    default: true
    }
  }

  private static func label(_ label: String?, at index: Int, in mirror: Mirror) -> String {
    switch mirror.displayStyle {
    case .collection: "[\(index)]"
    case .optional: ""
    default: label ?? "\(index)"
    }
  }

  private static func join(_ path: String, _ label: String) -> String {
    path.isEmpty || label.isEmpty || label.hasPrefix("[") ? path + label : "\(path).\(label)"
  }

  private static func text(_ value: Any) -> String {
    let text = value is String ? String(reflecting: value) : String(describing: value)
    return text.count > 200 ? "\(text.prefix(200))…" : text
  }
}
