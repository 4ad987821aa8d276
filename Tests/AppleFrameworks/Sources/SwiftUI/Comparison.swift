/// Whether two values are equal. `false` if their type is not `Equatable`.
func isEqual(_ first: Any, _ second: Any) -> Bool {
  func compare<E: Equatable>(_ first: E) -> Bool { (second as? E) == first }
  guard let first = first as? any Equatable else { return false }
  return compare(first)
}

/// Whether two descriptions of a view have equal fields. SwiftUI does not evaluate such a view again.
///
/// Closures are never equal. Objects are equal if they are identical.
@MainActor
func isUnchanged(_ first: Any, _ second: Any) -> Bool {
  guard type(of: first) == type(of: second) else { return false }
  // The storage of these properties belongs to the view, and not to its description.
  if first is any LinkedProperty && !(first is any ObservedProperty) { return true }
  let fields = (Mirror(reflecting: first), Mirror(reflecting: second))
  if fields.0.displayStyle == .class { return first as AnyObject === second as AnyObject }
  if first is any Equatable { return isEqual(first, second) }
  switch fields.0.displayStyle {
  case .struct, .tuple, .optional:
    guard fields.0.children.count == fields.1.children.count else { return false }
    return zip(fields.0.children, fields.1.children).allSatisfy { isUnchanged($0.value, $1.value) }
  default: return false
  }
}

/// A linked property that contains its object.
protocol ObservedProperty {}
