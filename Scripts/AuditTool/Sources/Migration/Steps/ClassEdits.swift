import Audit
import Foundation
import SwiftSyntax

/// Helpers for steps that change the properties of a class.
extension TypeInfo {
  /// Refuses classes whose properties other code can override or observe one by one.
  func requirePlainClass(in project: Project) throws(Refusal) {
    let place = declaration.flatMap { node in project.file(of: node)?.place(node) }
    let declarations = project.files.flatMap { $0.all(ClassDeclSyntax.self) }.count { $0.name.text == name }
    guard declarations == 1 else {
      throw Refusal("the files have several classes of this name: name fewer files", at: place)
    }
    if let base = inherited.first(where: { project.types[$0]?.kind == .class }) {
      throw Refusal("it is a subclass of `\(base)`", at: place)
    }
    if let sub = project.types.values.filter({ $0.kind == .class && $0.inherited.contains(name) }).map(\.name)
      .min()
    {
      throw Refusal("`\(sub)` is a subclass, which can override its properties", at: place)
    }
    let coding = inherited.filter { ["Codable", "Encodable", "Decodable"].contains($0) }
    if let coding = coding.first {
      throw Refusal("it is `\(coding)`, so its properties are the format of its data", at: place)
    }
    if attributes.contains("objcMembers") {
      throw Refusal("Objective-C code can observe its properties one by one", at: place)
    }
    if inherited.contains("ObservableObject") || attributes.contains("Observable")
      || properties.values.contains(where: { $0.attributes.contains("Published") })
    {
      throw Refusal(
        "SwiftUI observes its properties, and no step changes that: by hand, keep the state in a `StateStore`, and let views observe it with `@StateViewModel` (page UsingSwiftUI)",
        at: place)
    }
  }

  /// The references to stored properties of the type in its own code: as `name`, as `self.name`,
  /// and as `other.name` of a local that is known to be of the type.
  func references(to names: Set<String>, in project: Project) -> [MemberReference] {
    blocks.flatMap { $0.descendants(DeclReferenceExprSyntax.self) }.compactMap { node in
      guard names.contains(node.baseName.text), project.type(around: node) === self else { return nil }
      if let member = node.parent?.as(MemberAccessExprSyntax.self), member.declName.id == node.id {
        guard let base = member.base else { return nil }
        let isOwn = Path(ExprSyntax(member)).map { $0.isMember && $0.names.count == 1 } == true
        guard isOwn || isInstance(base) else { return nil }
        return MemberReference(name: node.baseName.text, node: node, prefix: base.code + ".")
      }
      if node.parent?.is(KeyPathPropertyComponentSyntax.self) == true { return nil }
      guard localDeclaration(of: node.baseName.text, at: node) == nil else { return nil }
      return MemberReference(name: node.baseName.text, node: node, prefix: "")
    }
  }

  /// Whether an expression is a parameter or a constant of the type, such as `lhs` of `==`.
  private func isInstance(_ base: ExprSyntax) -> Bool {
    let plain = base.as(OptionalChainingExprSyntax.self)?.expression ?? base
    guard let name = plain.as(DeclReferenceExprSyntax.self)?.baseName.text,
      let local = localDeclaration(of: name, at: plain)
    else { return false }
    func isOwn(_ type: TypeSyntax?) -> Bool {
      guard let code = type?.code else { return false }
      let plain = code.prefix { $0 != "<" && $0 != "?" }
      return plain == self.name || plain == "Self"
    }
    if let parameter = local.as(FunctionParameterSyntax.self) { return isOwn(parameter.type) }
    if let parameter = local.as(ClosureParameterSyntax.self) { return isOwn(parameter.type) }
    guard let binding = local.as(PatternBindingSyntax.self) else { return false }
    if let annotation = binding.typeAnnotation { return isOwn(annotation.type) }
    let made = binding.initializer?.value.as(FunctionCallExprSyntax.self)?.callee
    return made.map { [self.name, "Self"].contains(String($0.prefix { $0 != "<" })) } == true
  }

  /// How code at a node names `state` or `store`, which a local name can hide.
  static func state(
    at node: some SyntaxProtocol, _ prefix: String = "", name: String = "state"
  ) -> String {
    prefix.isEmpty && localDeclaration(of: name, at: node) != nil ? "self.\(name)" : name
  }

  /// Whether a property of the type itself has a name.
  func hasStaticProperty(_ name: String) -> Bool {
    blocks.lazy.flatMap(\.members).compactMap { $0.decl.as(VariableDeclSyntax.self) }.contains { variable in
      variable.modifiers.contains { ["static", "class"].contains($0.name.text) }
        && variable.bindings.contains { $0.pattern.code == name }
    }
  }

  /// The key paths in the type that name a property.
  func keyPath(to name: String) -> KeyPathPropertyComponentSyntax? {
    blocks.lazy.flatMap { $0.descendants(KeyPathPropertyComponentSyntax.self) }
      .first { $0.declName.baseName.text == name }
  }

  /// A nested type with a name.
  func nestedType(_ name: String) -> (any DeclGroupSyntax)? {
    blocks.lazy.flatMap(\.members).compactMap { declGroup(Syntax($0.decl)) }
      .first { $0.asProtocol((any NamedDeclSyntax).self)?.name.text == name }
  }

  /// Whether the type is an enum with a case of this name.
  func hasCase(_ name: String) -> Bool {
    blocks.lazy.flatMap(\.members).compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
      .flatMap(\.elements).contains { $0.name.text == name }
  }

  var classDeclaration: ClassDeclSyntax? { declaration?.as(ClassDeclSyntax.self) }
}

extension Edits {
  /// Turns a stored property into a computed one, whose setter runs the code of `didSet`.
  mutating func makeComputed(
    _ variable: VariableDeclSyntax, type: String, getter: String, setter: String, hasSetter: Bool = true
  ) throws(Refusal) {
    guard let binding = variable.bindings.first else { return }
    let name = binding.pattern.code
    if let annotation = binding.typeAnnotation {
      // Only what follows the type changes.
      if let value = binding.initializer {
        replace(
          annotation.endPositionBeforeTrailingTrivia, value.endPositionBeforeTrailingTrivia, in: variable,
          with: "")
      }
    } else if let value = binding.initializer {
      replace(
        binding.pattern.endPositionBeforeTrailingTrivia, value.endPositionBeforeTrailingTrivia, in: variable,
        with: ": \(type)")
    }
    let start = indentation(of: variable), unit = indentationUnit(of: variable)
    guard let block = binding.accessorBlock else {
      let text =
        hasSetter
        ? " {\n\(start)\(unit)get { \(getter) }\n\(start)\(unit)set { \(setter) }\n\(start)}"
        : " { \(getter) }"
      return insert(text, after: variable)
    }
    guard case .accessors(let list) = block.accessors, list.count == 1, let observer = list.first,
      observer.accessorSpecifier.text == "didSet", let body = observer.body
    else { throw Refusal("`\(name)` has a `willSet`, which a computed property does not have") }
    let old = observer.parameters?.name.text ?? "oldValue"
    let readsOld = body.descendants(DeclReferenceExprSyntax.self).contains { $0.baseName.text == old }
    let inner = "\n\(start)\(unit)\(unit)"
    var opening = readsOld ? "\(inner)let \(old) = \(getter)" : ""
    opening += "\(inner)\(setter)"
    let indent = indentation(of: observer)
    replace(
      observer.accessorSpecifier.positionAfterSkippingLeadingTrivia,
      body.leftBrace.positionAfterSkippingLeadingTrivia,
      in: variable, with: "get { \(getter) }\n\(indent == start ? start + unit : indent)set ")
    guard let first = body.statements.first, let last = body.statements.last else {
      return insert(opening + "\n\(start)\(unit)", after: body.leftBrace)
    }
    if first.leadingTrivia.hasNewline { return insert(opening, after: body.leftBrace) }
    // On one line: `{ didSet { onChange?() } }`, maybe with comments.
    let before = (body.leftBrace.trailingTrivia + first.leadingTrivia).description
      .trimmingCharacters(in: .whitespaces)
    replace(
      body.leftBrace.endPositionBeforeTrailingTrivia, first.positionAfterSkippingLeadingTrivia, in: variable,
      with: opening + inner + (before.isEmpty ? "" : before + " "))
    let after = (last.trailingTrivia + body.rightBrace.leadingTrivia).description
      .trimmingCharacters(in: .whitespacesAndNewlines)
    replace(
      last.endPositionBeforeTrailingTrivia, body.rightBrace.positionAfterSkippingLeadingTrivia, in: variable,
      with: (after.isEmpty ? "" : " " + after) + "\n\(start)\(unit)")
    if indent == start {
      replace(
        block.leftBrace.endPositionBeforeTrailingTrivia, observer.positionAfterSkippingLeadingTrivia,
        in: variable,
        with: "\n\(start)\(unit)")
      replace(
        body.rightBrace.endPositionBeforeTrailingTrivia, block.rightBrace.positionAfterSkippingLeadingTrivia,
        in: variable, with: "\n\(start)")
    }
  }
}

extension Property {
  /// Whether only the type itself can read the property.
  var isPrivate: Bool {
    declaration.modifiers.contains { $0.name.text == "private" && $0.detail == nil }
  }

  /// Whether no code of other files can read the property.
  var isHiddenFromOtherFiles: Bool {
    declaration.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
  }

  /// Whether no other code stands on the lines of the declaration.
  var standsAlone: Bool {
    declaration.leadingTrivia.hasNewline
      && declaration.lastToken(viewMode: .sourceAccurate)?.nextToken(viewMode: .sourceAccurate)?
        .leadingTrivia.hasNewline == true
  }

  /// Whether other code of the file can set the property.
  var hasFilePrivateSetter: Bool {
    declaration.modifiers.contains { $0.name.text == "fileprivate" && $0.detail != nil }
  }

  /// Whether other types can read the property, but not set it.
  var hasPrivateSetter: Bool {
    declaration.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail != nil }
  }

  var binding: PatternBindingSyntax? { declaration.bindings.first { $0.pattern.code == name } }

  /// The type as it is written, or that of a literal, an initializer or a case. `nil` if it is not known.
  func writtenType(in project: Project) -> String? {
    if let annotation = binding?.typeAnnotation { return annotation.type.code }
    if type.isEmpty || type == "[]" || type.contains("->") { return nil }
    let value = initialValue?.as(FunctionCallExprSyntax.self)?.calledExpression ?? initialValue
    guard let member = value?.as(MemberAccessExprSyntax.self), let base = member.base?.code else {
      return type
    }
    let name = member.declName.baseName.text
    guard base.split(separator: ".").allSatisfy({ $0.first?.isUppercase == true }) else { return nil }
    if name == "init" { return base }
    if name.first?.isUppercase == true { return type }
    // `Mode.first` is a `Mode`, but `Defaults.limit` is an `Int`.
    guard let known = project.type(named: base, in: project.type(around: declaration)), known.kind != .unknown
    else { return initialValue?.is(FunctionCallExprSyntax.self) == true ? nil : base }
    let property = known.properties[name]
    if property?.isStatic == true, let type = property?.type, plainTypes.contains(type) { return type }
    let isOwn = property?.isStatic == true && [base, known.name, "Self"].contains(property?.type)
    return isOwn || known.hasCase(name) ? base : nil
  }
}

private let plainTypes: Set = ["Bool", "Double", "Float", "Int", "String"]

/// Methods of the standard library that change a value.
let mutating: Set = [
  "append", "insert", "remove", "removeAll", "removeFirst", "removeLast", "removeValue", "updateValue",
  "sort",
  "reverse", "toggle", "swapAt", "formUnion", "subtract", "popLast", "popFirst", "merge", "shuffle",
  "removeSubrange",
]

extension Project {
  /// Whether a method with a name can change the value on which it is called.
  func changesItsValue(_ name: String) -> Bool {
    mutating.contains(name)
      || types.values.contains { type in
        type.functions[name]?.contains { $0.modifiers.contains { $0.name.text == "mutating" } } == true
      }
  }
}
