import Audit
import SwiftSyntax

/// A completion handler of a requirement, and how async code passes its result on.
struct CompletionForm {
  enum Kind: Equatable {
    /// `(Result<Value, any Error>) -> Void`
    case result(typed: Bool)
    /// `(Value?, (any Error)?) -> Void`
    case valueAndError(typed: Bool)
    /// `((any Error)?) -> Void`
    case error(typed: Bool)
    /// `() -> Void`
    case nothing
    /// `(Value) -> Void`
    case value
    /// One handler for success and one for failure.
    case pair
  }

  let kind: Kind
  /// The type of the result. `nil` for `Void`.
  let value: String?
  /// The parameters that are handlers.
  let parameters: [FunctionParameterSyntax]
  let isSendable: Bool
  let isMainActor: Bool

  /// The names of the handlers.
  var names: [String]

  /// The handler of a requirement. `nil` if it has no closure.
  init?(of function: FunctionDeclSyntax, in project: Project) throws(Refusal) {
    let closures = function.signature.parameterClause.parameters.compactMap { parameter in
      ClosureType(parameter.type, project).map { (parameter, $0) }
    }
    guard let (parameter, type) = closures.last else { return nil }
    let place = project.file(of: function)?.place(parameter)
    func refuse(_ reason: String) -> Refusal { Refusal("`\(function.name.text)` \(reason)", at: place) }
    guard !closures.contains(where: { $0.1.isOptional }) else {
      throw refuse("has a handler that can be nil, so it promises no answer")
    }
    guard type.returnsVoid else { throw refuse("has a closure that returns a value") }
    parameters = closures.map(\.0)
    names = parameters.map(\.name)
    isSendable = closures.allSatisfy { $0.1.isSendable || $0.1.isMainActor }
    isMainActor = closures.allSatisfy(\.1.isMainActor)
    if closures.count == 2 {
      let success = closures[0].1.parameters
      guard Self.means(closures[0].0.name, ["success", "complet"]), success.count < 2,
        Self.means(closures[1].0.name, ["fail", "error"]), type.parameters.map(\.asError) == [.untyped]
      else { throw refuse("has two closures") }
      (kind, value) = (.pair, success.first)
      return
    }
    guard closures.count == 1 else { throw refuse("has \(closures.count) closures") }
    guard Self.promisesOneCall(parameter, of: function) else {
      throw refuse("has a closure `\(parameter.name)` that can be called many times")
    }
    switch type.parameters.count {
    case 0: (kind, value) = (.nothing, nil)
    case 1:
      let only = type.parameters[0]
      if let (success, failure) = only.asResult {
        (kind, value) = (
          .result(typed: failure != .untyped), ["Void", "()", "Swift.Void"].contains(success) ? nil : success
        )
      } else if only.hasSuffix("?"), let error = String(only.dropLast()).asError {
        (kind, value) = (.error(typed: error == .typed), nil)
      } else {
        (kind, value) = (.value, only)
      }
    case 2 where type.parameters.allSatisfy({ $0.hasSuffix("?") }):
      guard let error = String(type.parameters[1].dropLast()).asError else { fallthrough }
      (kind, value) = (.valueAndError(typed: error == .typed), String(type.parameters[0].dropLast()))
    default: throw refuse("has a handler with \(type.parameters.count) values, which has no one result")
    }
  }

  /// Whether a protocol has completion handlers, also of forms that have no async twin.
  static func isUsed(in node: ProtocolDeclSyntax, _ project: Project) -> Bool {
    node.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }.contains { function in
      function.signature.parameterClause.parameters.contains {
        promisesOneCall($0, of: function) && ClosureType($0.type, project) != nil
      }
    }
  }

  private static func promisesOneCall(
    _ parameter: FunctionParameterSyntax, of function: FunctionDeclSyntax
  ) -> Bool {
    let name = function.name.text.lowercased()
    let observing = ["observe", "subscribe", "listen", "bind", "addobserver", "watch", "monitor"]
    let completing = [
      "complet", "finish", "done", "then", "handler", "callback", "result", "reply", "respon", "block",
      "closure",
      "success",
    ]
    return means(parameter.name, completing) && !observing.contains(where: name.hasPrefix)
  }

  private static func means(_ name: String, _ parts: [String]) -> Bool {
    parts.contains(where: name.lowercased().contains)
  }

  /// The arguments that pass the result to the `completion` of `withCompletionHandler`.
  var arguments: [String] {
    switch kind {
    case .result(typed: false), .valueAndError(typed: false), .error(typed: false): ["completion"]
    case .result: ["{ result in completion(result.mapError { $0 }) }"]
    case .valueAndError: ["{ value, error in completion(value, error) }"]
    case .error: ["{ error in completion(error) }"]
    case .nothing: ["{ completion(.success(())) }"]
    case .value: ["{ completion(.success($0)) }"]
    case .pair:
      [
        value == nil ? "{ completion(.success(())) }" : "{ completion(.success($0)) }",
        "{ completion(.failure($0)) }",
      ]
    }
  }

  /// The label of the closure of `withCompletionHandler`.
  var label: String? {
    switch kind {
    case .valueAndError: "valueAndError"
    case .error: "error"
    default: nil
    }
  }

  /// Calls the handlers with `result`. `nil` if an async function can throw an error that the
  /// handlers cannot receive.
  var delivery: [String]? {
    func cases(_ success: String, _ failure: String) -> [String] {
      [
        "switch result {", "case .success\(value == nil ? "" : "(let value)"): \(success)",
        "case .failure(let error): \(failure)", "}",
      ]
    }
    let name = names[0]
    return switch kind {
    case .result(typed: false): ["\(name)(result)"]
    case .valueAndError(typed: false): cases("\(name)(value, nil)", "\(name)(nil, error)")
    case .error(typed: false): cases("\(name)(nil)", "\(name)(error)")
    case .nothing: ["\(name)()"]
    case .value: value?.hasSuffix("?") == true ? ["\(name)(try? result.get())"] : nil
    case .pair: cases("\(name)(\(value == nil ? "" : "value"))", "\(names[1])(error)")
    default: nil
    }
  }
}

/// The type of a parameter, if it is a function or a type alias of one.
private struct ClosureType {
  var parameters: [String] = []
  var returnsVoid = true
  var isOptional = false
  var isSendable = false
  var isMainActor = false

  init?(_ type: TypeSyntax, _ project: Project, depth: Int = 0) {
    guard depth < 5 else { return nil }
    var attributes: Set<String> = []
    var base = type
    while true {
      if let attributed = base.as(AttributedTypeSyntax.self) {
        attributes.formUnion(attributeNames(attributed.attributes))
        base = attributed.baseType
      } else if let optional = base.as(OptionalTypeSyntax.self) {
        isOptional = true
        base = optional.wrappedType
      } else if let tuple = base.as(TupleTypeSyntax.self), tuple.elements.count == 1 {
        base = tuple.elements.first!.type
      } else {
        break
      }
    }
    if let function = base.as(FunctionTypeSyntax.self) {
      parameters = function.parameters.map(\.type.code)
      returnsVoid = function.returnClause.type.isVoid
    } else if let name = base.as(IdentifierTypeSyntax.self), let alias = project.alias(name),
      let inner = ClosureType(alias, project, depth: depth + 1)
    {
      (parameters, returnsVoid) = (inner.parameters, inner.returnsVoid)
      isOptional = isOptional || inner.isOptional
      (isSendable, isMainActor) = (inner.isSendable, inner.isMainActor)
    } else {
      return nil
    }
    isSendable = isSendable || attributes.contains("Sendable")
    isMainActor = isMainActor || attributes.contains("MainActor")
  }
}

extension Project {
  /// What a type alias stands for, with its generic arguments filled in.
  fileprivate func alias(_ type: IdentifierTypeSyntax) -> TypeSyntax? {
    // An alias in another type has nothing to do with this name.
    let around = Set(type.ancestors.compactMap { self.type(around: $0)?.name })
    let found = files.flatMap { $0.all(TypeAliasDeclSyntax.self) }.filter { $0.name.text == type.name.text }
    let own = found.filter { alias in self.type(around: alias).map { around.contains($0.name) } == true }
    guard let alias = own.first ?? found.first(where: { self.type(around: $0) == nil }) else { return nil }
    let parameters = alias.genericParameterClause?.parameters.map(\.name.text) ?? []
    let arguments = type.genericArgumentClause?.arguments.map { $0.argument.trimmedDescription } ?? []
    guard parameters.count == arguments.count else { return nil }
    if parameters.isEmpty { return alias.initializer.value }
    let known = Dictionary(zip(parameters, arguments)) { first, _ in first }
    let text = alias.initializer.value.tokens(viewMode: .sourceAccurate)
      .map { $0.leadingTrivia.description + (known[$0.text] ?? $0.text) + $0.trailingTrivia.description }
      .joined()
    return SourceFile(path: "", text: "let x: \(text)").all(VariableDeclSyntax.self).first?
      .bindings.first?.typeAnnotation?.type
  }
}

private enum ErrorType { case untyped, typed }

extension String {
  /// Whether the type is an error.
  fileprivate var asError: ErrorType? {
    let plain = filter { !$0.isWhitespace && $0 != "(" && $0 != ")" }
    if ["Error", "anyError", "Swift.Error", "anySwift.Error"].contains(plain) { return .untyped }
    return plain.hasSuffix("Error") || plain.hasSuffix("Failure") ? .typed : nil
  }

  /// The types of `Result<Success, Failure>`.
  fileprivate var asResult: (success: String, failure: ErrorType)? {
    guard
      let type = SourceFile(path: "", text: "let x: \(self)").all(VariableDeclSyntax.self).first?
        .bindings.first?.typeAnnotation?.type.as(IdentifierTypeSyntax.self),
      type.name.text == "Result",
      let arguments = type.genericArgumentClause?.arguments.map({ $0.argument.trimmedDescription }),
      arguments.count == 2
    else { return nil }
    return (arguments[0], arguments[1].asError ?? .typed)
  }
}

extension FunctionParameterSyntax {
  /// The name inside of the function.
  var name: String { (secondName ?? firstName).text }

  /// The argument that passes a value on.
  func argument(_ value: String) -> String {
    firstName.text == "_" ? value : "\(firstName.text): \(value)"
  }
}
