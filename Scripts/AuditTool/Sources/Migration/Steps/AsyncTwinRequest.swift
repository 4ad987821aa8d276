import Audit
import SwiftParser
import SwiftSyntax

/// What a function with a completion handler returns.
enum AsyncTwinRequest {
  /// A `CancellationToken` of the toolkit.
  case token
  /// An object with `cancel()`.
  case cancels(String)
  case unknown(String)

  init(_ type: String, _ project: Project) {
    let name = type.plainTypeName
    let known = project.type(named: name)
    if type == "CancellationToken" {
      self = .token
    } else if known?.functions["cancel"]?.contains(where: { $0.signature.parameterClause.parameters.isEmpty })
      == true
      || known?.properties["cancel"]?.isClosure == true
      || known == nil
        && [
          "Cancellable", "AnyCancellable", "URLSessionTask", "URLSessionDataTask", "URLSessionDownloadTask",
          "URLSessionUploadTask", "Operation", "Progress", "DispatchWorkItem", "DataRequest",
        ].contains(name)
    {
      self = .cancels(type)
    } else {
      self = .unknown(type)
    }
  }

  /// Code that makes a request which cancels `task`. `nil` if only the service can make one.
  static func code(toMake type: String, _ project: Project) -> String? {
    guard let known = project.type(named: type.plainTypeName), let node = known.declaration else {
      return nil
    }
    let name = known.path.joined(separator: ".")
    if known.kind == .protocol {
      let members = node.as(ProtocolDeclSyntax.self)?.memberBlock.members
      let isClass = known.inherited.contains("AnyObject")
      return members?.count == 1 && !isClass && known.inherited.allSatisfy { $0 == "Sendable" } ? "task" : nil
    }
    let closure = ["()->Void", "@Sendable()->Void", "@escaping()->Void", "@escaping@Sendable()->Void"]
    func isClosure(_ type: String) -> Bool { closure.contains(String(type.filter { !$0.isWhitespace })) }
    if known.initializers.count == 1, known.initializers[0].optionalMark == nil {
      let parameters = known.initializers[0].signature.parameterClause.parameters
      return parameters.count == 1 && isClosure(parameters.first!.type.code)
        ? "\(name) { task.cancel() }" : nil
    }
    let stored = known.properties.values.filter { $0.isStored && !$0.isStatic }
    return known.kind == .struct && known.initializers.isEmpty && stored.count == 1
      && isClosure(stored[0].type.replacing("@Sendable", with: "")) && stored[0].initialValue == nil
      ? "\(name) { task.cancel() }" : nil
  }
}

extension String {
  /// The name of a type without `any`, parentheses and optionality, with the types around it.
  var plainTypeName: String {
    String(
      trimmingPrefix("(").trimmingPrefix("any ").prefix { $0.isLetter || $0.isNumber || "_.".contains($0) })
  }
}

extension TypeSyntax {
  /// Whether the type is the result of a function without a result.
  var isVoid: Bool { ["Void", "()", "Swift.Void"].contains(code) }
}

extension SyntaxProtocol {
  /// The code on one line, without its comments.
  var onOneLine: String {
    tokens(viewMode: .sourceAccurate).map { token in
      (token.leadingTrivia.isEmpty ? "" : " ") + token.text + (token.trailingTrivia.isEmpty ? "" : " ")
    }.joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .replacing("( ", with: "(").replacing(" )", with: ")").replacing(" ,", with: ",")
  }
}

extension FunctionDeclSyntax {
  /// The function with names of parameters and handlers that the code of an adapter does not use.
  func renamed(
    _ takenFromParameters: Set<String>, handlers: Set<String> = [], _ takenFromHandlers: Set<String> = []
  ) -> FunctionDeclSyntax {
    var function = trimmed
    let parameters = signature.parameterClause.parameters.enumerated().map { index, old in
      var parameter = old
      let name = old.name
      let taken = handlers.contains(name) ? takenFromHandlers : takenFromParameters
      let isUsable = name != "_" && (name.isValidSwiftIdentifier(for: .variableName) || name.hasPrefix("`"))
      if isUsable && !taken.contains(name) { return parameter }
      let new = isUsable ? "given" + name.prefix(1).uppercased() + name.dropFirst() : "argument\(index + 1)"
      parameter.firstName = .identifier(old.firstName.text, leadingTrivia: old.firstName.leadingTrivia)
      parameter.secondName = .identifier(new, leadingTrivia: .space)
      return parameter
    }
    function.signature.parameterClause.parameters = FunctionParameterListSyntax(parameters)
    return function
  }

  /// What tells an async function from others of its type, apart from the result.
  func overloadKey(_ parameters: [FunctionParameterSyntax]) -> String {
    name.text + "("
      + parameters.map { "\($0.firstName.text):\($0.type.code.filter { !$0.isWhitespace })" }
      .joined(separator: ",")
  }
}
