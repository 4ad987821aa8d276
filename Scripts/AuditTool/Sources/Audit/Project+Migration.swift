import SwiftSyntax

/// How often the paths of a function call its completion handler.
package struct CompletionPromise {
  /// Where paths end without a call.
  package let missing: [Syntax]
  /// Where paths end without a call because the owner is gone or the work is cancelled.
  package let excused: [Syntax]
  /// The second calls on a path.
  package let doubled: [Syntax]
  /// Whether all paths were followed, and one of them calls the handler.
  package let isKnown: Bool
}

extension Project {
  /// Follows the paths of a function with a completion handler. `nil` if the function has no body.
  package func completionPromise(of function: FunctionDeclSyntax, handlers: Set<String>) -> CompletionPromise?
  {
    guard let body = function.body else { return nil }
    let result = CompletionPathsRule.counter(self, handlers, in: Syntax(function))
      .count(body.statements, isThrowingMissing: false)
    func exits(_ missing: Set<CallCounter.Missing>) -> [Syntax] {
      missing.map(\.exit).sorted { $0.position < $1.position }
    }
    return CompletionPromise(
      missing: exits(result.missing.filter { !$0.isExcused }),
      excused: exits(result.missing.filter(\.isExcused)),
      doubled: result.doubled.keys.sorted { $0.position < $1.position },
      isKnown: result.hasCall && !result.isIncomplete)
  }
}

extension Project {
  /// Whether a property holds a value, as far as its type shows.
  package func holdsValue(_ property: Property) -> Bool { isValueType(property, self) }
}
