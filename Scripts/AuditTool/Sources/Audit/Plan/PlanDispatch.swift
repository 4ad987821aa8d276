import SwiftSyntax

/// Calls of a service that takes its requests as values:
/// `stores.dispatch(OrderAction.retrieveOrder(id: 1) { result in … })`.
private let dispatching: Set = [
  "dispatch", "send", "perform", "execute", "run", "handle", "submit", "enqueue", "fire",
]
/// Values with closures that are no requests.
private let noRequests = ["UI", "NS", "Block", "Dispatch", "Task", "Timer", "Any"]

extension FunctionCallExprSyntax {
  /// Whether the call passes a request that has a completion handler as its payload.
  var dispatchesHandler: Bool {
    guard receiver != nil, closures.isEmpty, dispatching.contains(name) else { return false }
    return arguments.contains { argument in
      if let request = argument.expression.as(FunctionCallExprSyntax.self) {
        return request.isRequestWithHandler
      }
      // `let action = OrderAction.retrieveOrder(id: 1) { … }`
      guard let reference = argument.expression.as(DeclReferenceExprSyntax.self) else { return false }
      let local = localDeclaration(of: reference.baseName.text, at: self)?.as(PatternBindingSyntax.self)
      return local?.initializer?.value.as(FunctionCallExprSyntax.self)?.isRequestWithHandler == true
    }
  }

  /// Whether the call makes a case of an enum, or an object, with a closure.
  private var isRequestWithHandler: Bool {
    guard !closures.isEmpty else { return false }
    guard let member = calledExpression.as(MemberAccessExprSyntax.self) else {
      return isInitializer(self) && !noRequests.contains(where: name.hasPrefix)
    }
    guard let base = member.base else { return true }
    let type = base.code
    return type.first?.isUppercase == true && !noRequests.contains(where: type.hasPrefix)
  }
}
